/**
 * The question that waits: the night whose page was asked for before signing in, else the first that needs my answer
 * (NIGHT-103). In the place of the card of nights and as high, so that nothing moves when it comes.
 */
import { useQuery } from '@tanstack/react-query'
import { Check, ChevronRight, CircleHelp, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { NightAnswer, NightSummary } from '#shared/nights/entities.ts'
import { nightListQueries } from '../../data/night-lists.ts'
import { useAnswerNight } from '../../data/nights.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { needsMyAnswer, partsOf } from '../../layout/nights/night-lists.ts'
import { messages, nightLists as text } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { capitalised, titleOf, whenText } from '../../ui/night-time.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { forgetPage, wantedPage } from '../../wanted-page.ts'
import { WayBack } from './way-back.tsx'

const icons = { in: Check, maybe: CircleHelp, out: X }

/** @param children the card of nights, where no question waits */
export function AskedNight({ children }: { children: ReactNode }) {
  const { steamId } = useSignedIn()
  const { data } = useQuery(nightListQueries.mine(steamId))
  const now = useNow()
  const [wanted] = useState(() => wantedPage(steamId))
  const { current } = partsOf(data?.nights ?? [], now)
  const wantedNight = current.find((night) => night.is_mine && wanted === `/nights/${night.night_id}`)
  const night = wantedNight ?? current.find(needsMyAnswer)
  return (
    <>
      {wanted !== undefined && !wantedNight && (data || !wanted.startsWith('/nights/')) && <WayBack />}
      {night ? <Question key={night.night_id} night={night} count={current.length} now={now} /> : children}
    </>
  )
}

function Question({ night, count, now }: { night: NightSummary; count: number; now: number }) {
  const answering = useAnswerNight(night.night_id)
  const { busy, outcome, run } = useCallAction()
  const navigate = useNavigate()
  const path = `/nights/${night.night_id}`
  const host = night.came.find(({ steam_id }) => steam_id === night.host_steam_id)
  const answer = (given: NightAnswer) =>
    run(
      async () => {
        await answering.mutateAsync({ answer: given })
        forgetPage()
        if (given !== 'out') await navigate(path)
      },
      { failed: text.asked.failed },
    )
  return (
    <section
      aria-label={messages.dashboard.gameNight}
      className="frosted flex min-h-14.5 flex-wrap items-center gap-x-3 rounded-card border-mint/60! px-3 max-sm:-my-1 sm:min-h-20.5 sm:gap-x-4 sm:px-5 lg:min-h-24.5"
    >
      <Link
        to="/nights"
        className="flex min-h-11 shrink-0 items-center gap-1 text-lg font-semibold tracking-tight hover:text-mint-bright max-sm:hidden"
      >
        {messages.dashboard.gameNight}
        {count > 1 && ` (${count})`}
        <ChevronRight aria-hidden className="size-5 text-soft" />
      </Link>
      <Link to={path} className="min-w-0 flex-1 py-1 hover:text-mint-bright" onClick={forgetPage}>
        <Name className="line-clamp-1 font-semibold sm:text-lg">
          {night.title === null && night.group ? night.group.name : titleOf(night)}
        </Name>
        <span className="block text-sm text-soft tabular-nums">
          {night.dating ? text.dating(night.dating) : capitalised(whenText(night, now))}
          {host && (
            <span className="max-sm:hidden">
              {' · '}
              <Sentence text={text.hostedBy} values={{ host: <Name>{nameOf(host)}</Name> }} />
            </span>
          )}
        </span>
        {needsMyAnswer(night) && <span className="sr-only">{text.needsAnswer}</span>}
      </Link>
      {night.dating || night.my_answer !== null ? (
        <ButtonLink to={path} variant="primary" onClick={forgetPage}>
          {night.dating ? text.answerNow : text.asked.open}
        </ButtonLink>
      ) : (
        <div role="group" aria-label={text.asked.legend} className="flex gap-1 sm:gap-2">
          {(['in', 'maybe', 'out'] as const).map((given) => {
            const Icon = icons[given]
            return (
              <Button
                key={given}
                variant={given === 'in' ? 'primary' : 'secondary'}
                icon={<Icon aria-hidden />}
                title={text.asked[given]}
                className="max-sm:size-11 max-sm:p-0!"
                disabled={busy}
                onClick={answer(given)}
              >
                <span className="max-sm:sr-only">{text.asked[given]}</span>
              </Button>
            )
          })}
        </div>
      )}
      {/* On phones the answer needs the room. */}
      <div className="flex items-center gap-1 max-sm:hidden">
        <StartNight startWith="any" isShort />
      </div>
      <OutcomeNotice outcome={outcome} />
    </section>
  )
}

/**
 * Game night (NIGHT-103): the questions that wait for my answer, the night whose page was asked for before signing in
 * first; then what is planned. It stands above all cards, below the way back after signing in (LOGIN-10).
 */
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { NightAnswer, NightSummary } from '#shared/nights/entities.ts'
import { nightListQueries } from '../../data/night-lists.ts'
import { useAnswerNight } from '../../data/nights.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { isSoon, needsMyAnswer, partsOf } from '../../layout/nights/night-lists.ts'
import { NightRow } from '../../layout/nights/night-row.tsx'
import { messages, nightLists as text, dashboard } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { capitalised, titleOf, whenText } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { forgetPage, wantedPage } from '../../wanted-page.ts'
import { DismissibleLink } from './dismissible-link.tsx'

/** Nights below the first that waits; /nights has all. */
const MORE = 4
/** Where nothing waits: as many as there is room for beside each other; smaller windows show fewer. */
const hiddenBelow = ['', 'max-2xl:hidden', 'max-vast:hidden']

export function GameNightCard() {
  const { steamId } = useSignedIn()
  const { data, isError } = useQuery(nightListQueries.mine(steamId))
  const now = useNow()
  const [wanted] = useState(() => wantedPage(steamId))
  const { current } = partsOf(data?.nights ?? [], now)
  const wantedNight = current.find((night) => night.is_mine && wanted === `/nights/${night.night_id}`)
  const waiting = current.filter((night) => night !== wantedNight && needsMyAnswer(night))
  const [first, ...others] = wantedNight ? [wantedNight, ...waiting] : waiting
  // Below what asks: what is played tonight, or else the first of the other nights.
  const rest = current.filter(
    (night) => night !== wantedNight && !waiting.includes(night) && night.my_answer !== 'out',
  )
  const next = first && (rest.find((night) => night.status === 'decided' && isSoon(night, now)) ?? rest[0])
  return (
    <>
      {wanted !== undefined && !wantedNight && (data || !wanted.startsWith('/nights/')) && <WayBack />}
      <section
        aria-label={dashboard.gameNight}
        className={`frosted rounded-card px-4 max-sm:-my-1 sm:px-5 ${first ? 'border-mint/60! pb-2 sm:pb-0' : ''}`}
      >
        <div className="flex min-h-16.5 flex-wrap items-center gap-x-1 sm:min-h-20.5 sm:gap-x-4 lg:min-h-24.5">
          {/* No heading: it is a line above the nine cards rather than one of them. */}
          <Link
            to="/nights"
            className={`flex min-h-11 shrink-0 items-center gap-1 text-lg font-semibold tracking-tight hover:text-mint-bright ${first ? 'max-2xl:hidden' : 'max-xl:hidden'}`}
          >
            {dashboard.gameNight}
            <ChevronRight aria-hidden className="size-5 text-soft" />
          </Link>
          {first ? (
            <Question key={first.night_id} night={first} now={now} />
          ) : (
            // Of the height of a night, whatever there is.
            <div className="-ml-2.5 h-16 min-w-0 flex-1 basis-48 content-center">
              {current.length > 0 ? (
                <ul aria-label={dashboard.gameNight} className="flex">
                  {current.slice(0, hiddenBelow.length).map((night, nth) => (
                    <li key={night.night_id} className={`min-w-0 flex-1 ${hiddenBelow[nth]}`}>
                      <NightRow night={night} isNarrow />
                    </li>
                  ))}
                </ul>
              ) : data || isError ? (
                <p className="line-clamp-2 px-2.5 text-sm text-soft">{data ? text.none : text.failed}</p>
              ) : (
                <Skeleton className="h-11 rounded-control" />
              )}
            </div>
          )}
          <div className={first ? 'max-xl:hidden' : ''}>
            <StartNight startWith="any" isShort />
          </div>
        </div>
        {others.length > 0 && (
          <ul aria-label={text.alsoAsk} className="-mx-2.5 border-t border-line/60 sm:py-1">
            {others.slice(0, MORE).map((night) => (
              <li key={night.night_id}>
                <NightRow night={night} isNarrow />
              </li>
            ))}
          </ul>
        )}
        {others.length > MORE && (
          <Link
            to="/nights"
            className="flex min-h-11 items-center text-sm font-semibold text-mint hover:underline"
          >
            {messages.andMore({ count: others.length - MORE })}
          </Link>
        )}
        {first && (
          <div
            className={`-mx-2.5 flex items-center border-t border-line/60 max-sm:flex-col max-sm:items-stretch sm:py-1 ${next ? '' : 'xl:hidden'}`}
          >
            <div className="min-w-0 flex-1">{next && <NightRow night={next} isNarrow />}</div>
            <div className="grid sm:pr-2.5 xl:hidden">
              <StartNight startWith="any" variant="quiet" />
            </div>
          </div>
        )}
      </section>
    </>
  )
}

function Question({ night, now }: { night: NightSummary; now: number }) {
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
    <>
      <Link to={path} className="group min-w-0 flex-1 py-2 max-sm:basis-full sm:py-1" onClick={forgetPage}>
        <Name className="line-clamp-2 text-lg leading-6 font-semibold underline decoration-edge underline-offset-4 group-hover:text-mint-bright">
          {titleOf(night)}
        </Name>
        <span className="block text-sm text-soft tabular-nums">
          {night.dating ? text.dating(night.dating) : capitalised(whenText(night, now))}
          {night.group && (
            <>
              {' · '}
              <Name className="inline!">{night.group.name}</Name>
            </>
          )}
          {host && (
            <>
              {' · '}
              <Sentence
                text={text.hostedBy}
                values={{ host: <Name className="inline!">{nameOf(host)}</Name> }}
              />
            </>
          )}
        </span>
        {needsMyAnswer(night) && <span className="sr-only">{text.needsAnswer}</span>}
      </Link>
      {night.dating || night.my_answer !== null ? (
        <ButtonLink to={path} variant="primary" className="max-sm:mb-2 max-sm:w-full" onClick={forgetPage}>
          {night.dating ? text.answerNow : text.asked.open}
        </ButtonLink>
      ) : (
        <div
          role="group"
          aria-label={text.asked.legend}
          className="flex gap-2 max-sm:mb-2 max-sm:w-full max-sm:[&_button]:flex-1 max-sm:[&_button]:px-2"
        >
          {/* Alike: none is chosen yet. */}
          {(['in', 'maybe', 'out'] as const).map((given) => (
            <Button key={given} disabled={busy} onClick={answer(given)}>
              {text.asked[given]}
            </Button>
          ))}
        </div>
      )}
      <OutcomeNotice outcome={outcome} />
    </>
  )
}

/** A link and a cross; nothing for who wanted no other page. */
function WayBack() {
  const { steamId } = useSignedIn()
  const [to, setTo] = useState(() => wantedPage(steamId))
  if (to === undefined) return null
  return (
    <DismissibleLink
      to={to}
      icon={<ArrowLeft aria-hidden />}
      onClick={forgetPage}
      onDismiss={() => {
        forgetPage()
        setTo(undefined)
      }}
    >
      {dashboard.wayBack.go}
    </DismissibleLink>
  )
}

/** Checks the draws of a night in the browser, from what the server has shown (NIGHT-91). */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Dices } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useParams } from 'react-router'
import { checkDraw, drawText } from '#shared/nights/draw.ts'
import type { NightDraw } from '#shared/nights/entities.ts'
import { isNotFound } from '../../data/http.ts'
import { type Night, nightsQueries } from '../../data/nights.ts'
import { nights } from 'virtual:texts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Name } from '../../ui/people/name.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { Chances, gamesOf } from './chances.tsx'
import { DrawResult } from './draws.tsx'

const text = nights.check

export function DrawCheckScreen() {
  const { nightId = '' } = useParams()
  const isId = /^[1-9]\d{0,9}$/.test(nightId)
  const query = useQuery({ ...nightsQueries.detail(Number(nightId)), enabled: isId })
  if (!isId || isNotFound(query.error))
    return (
      <Screen title={nights.goneTitle}>
        <EmptyState
          action={
            <ButtonLink to="/dashboard" variant="primary">
              {nights.toDashboard}
            </ButtonLink>
          }
        >
          {nights.gone}
        </EmptyState>
      </Screen>
    )
  return (
    <Screen title={text.title} action={<ButtonLink to={`/nights/${nightId}`}>{text.back}</ButtonLink>}>
      <p className="max-w-[75ch] text-soft">{text.explained}</p>
      <Loaded query={query} failed={nights.failed} skeleton={<ListSkeleton />}>
        {(night) => <Checks night={night} />}
      </Loaded>
    </Screen>
  )
}

function Checks({ night }: { night: Night }) {
  const { draws } = night
  if (!draws.some(({ by }) => by === 'draw')) return <EmptyState icon={<Dices />}>{text.none}</EmptyState>
  return (
    <>
      {draws.map((draw) => (
        <Check key={draw.number} night={night} draw={draw} />
      ))}
      <Card title={text.how}>
        <ol className="grid max-w-[75ch] list-decimal gap-2 pl-5 text-sm text-soft">
          {text.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Card>
    </>
  )
}

function Figure({ label, children }: { label: string; children: string }) {
  return (
    <div className="grid gap-1">
      <p className="text-sm text-soft">{label}</p>
      <code className="font-mono text-sm break-all">{children}</code>
    </div>
  )
}

function Check({ night, draw }: { night: Night; draw: NightDraw }) {
  const games = useMemo(() => gamesOf(night), [night])
  const { seed, seed_hash } = draw
  const title = <DrawResult draw={draw} game={<Name>{draw.name}</Name>} />
  if (seed === null || seed_hash === null)
    return (
      <Card title={title}>
        <p className="text-sm text-soft">{text.byVotes}</p>
      </Card>
    )
  const found = computed(() => checkDraw(night.night_id, { ...draw, seed }))
  return (
    <Card title={title}>
      {found === undefined ? (
        <Verdict isGood={false}>{text.impossible}</Verdict>
      ) : (
        <>
          <Verdict isGood={found.hashMatches}>
            {found.hashMatches ? text.hashMatches : text.hashDiffers}
          </Verdict>
          <Verdict isGood={found.appid === draw.appid}>
            <Sentence
              text={found.appid === draw.appid ? text.matches : text.differs}
              values={{
                game: (
                  <Name className="font-semibold">{games.get(found.appid)?.name ?? String(found.appid)}</Name>
                ),
              }}
            />
          </Verdict>
        </>
      )}
      <Chances odds={draw.odds} games={games} drawn={draw.appid} />
      <Figure label={text.hash}>{seed_hash}</Figure>
      <Figure label={text.seed}>{seed}</Figure>
      <Figure label={text.signed}>{drawText(night.night_id, draw.number, draw.odds)}</Figure>
    </Card>
  )
}

/** Undefined where what the server has shown cannot be computed with. */
function computed<Result>(compute: () => Result): Result | undefined {
  try {
    return compute()
  } catch {
    return undefined
  }
}

function Verdict({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  const Icon = isGood ? CircleCheck : CircleX
  return (
    <p className={`flex items-start gap-2.5 font-medium ${isGood ? 'text-mint' : 'text-rose'}`}>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

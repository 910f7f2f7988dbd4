/** A tie and its draw (NIGHT-86), and how a pick came about: all draws, their reasons, and how to check them (NIGHT-87). */
import { ChevronRight, ShieldCheck, Dices } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import { Link } from 'react-router'
import type { NightDraw } from '#shared/nights/entities.ts'
import { type Night, useDraw } from '../../data/nights.ts'
import { nights } from 'virtual:texts'
import { ButtonLink, Button } from '../../ui/forms/button.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { Chances, type NamedGame, gamesOf } from './chances.tsx'
import { useCallAction } from '../../layout/call-action.ts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { ReopenVote } from './close-vote.tsx'
import { Fold } from '../../ui/frames/fold.tsx'

const text = nights.pick

/** Which draw it was, or the vote, and what it gave. */
export function DrawResult({
  draw: { by, number },
  game,
}: {
  draw: Pick<NightDraw, 'by' | 'number'>
  game: ReactElement
}) {
  return by === 'votes' ? (
    <Sentence text={text.votes} values={{ game }} />
  ) : (
    <Sentence text={text.number} values={{ game, number }} />
  )
}

export function Draws({ night, games }: { night: Night; games: ReadonlyMap<number, NamedGame> }) {
  const { draws, people } = night
  const wasDrawn = draws.some(({ by }) => by === 'draw')
  return (
    <details className="group/fold border-t border-line/60 pt-3">
      <summary className="flex min-h-11 w-fit list-none items-center gap-2 rounded-control pr-3 font-semibold hover:text-mint-bright [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-5 text-soft transition group-open/fold:rotate-90" />
        {text.draws}
      </summary>
      <div className="grid gap-4 pt-2">
        <ol aria-label={text.draws} className="grid gap-4">
          {draws.map((draw) => {
            const by = people.find(({ steam_id }) => steam_id === draw.drawn_by)
            return (
              <li key={draw.number} className="grid gap-2">
                <p className="text-sm">
                  <span className="font-semibold">
                    <DrawResult
                      draw={draw}
                      game={
                        <Link to={`/games/${draw.appid}`} className="underline-offset-4 hover:underline">
                          <Name>{draw.name}</Name>
                        </Link>
                      }
                    />
                  </span>{' '}
                  <span className="text-soft">
                    ·{' '}
                    {by ? (
                      <Sentence
                        text={text.drawnBy}
                        values={{ name: <Name>{nameOf(by)}</Name>, ago: <RelativeTime time={draw.at} /> }}
                      />
                    ) : (
                      <RelativeTime time={draw.at} />
                    )}
                  </span>
                </p>
                {draw.reason !== null && (
                  <p className="text-sm text-soft">
                    <Sentence
                      text={text.because}
                      values={{ reason: <Name className="text-ink">{draw.reason}</Name> }}
                    />
                  </p>
                )}
                {draw.by === 'draw' && <Chances odds={draw.odds} games={games} drawn={draw.appid} />}
              </li>
            )
          })}
        </ol>
        {wasDrawn && (
          <ButtonLink
            to={`/nights/${night.night_id}/draw`}
            className="justify-self-start"
            icon={<ShieldCheck aria-hidden />}
          >
            {text.check}
          </ButtonLink>
        )}
      </div>
    </details>
  )
}

const tieText = nights.tie

export function Tie({ night }: { night: Night }) {
  const drawing = useDraw(night.night_id)
  const action = useCallAction()
  const games = useMemo(() => gamesOf(night), [night])
  const odds = night.odds ?? []
  const host = night.people.find(({ steam_id }) => steam_id === night.host_steam_id)
  const isEqual = odds.every(({ weight }) => weight === odds[0]?.weight)

  const draw = action.run(() => drawing.mutateAsync(), { failed: tieText.drawFailed })

  return (
    <Card
      id="the-tie"
      title={isEqual ? tieText.title : tieText.drawTitle}
      className="border-violet/40!"
      // In view however many games there are below.
      action={
        night.my.leads && (
          <Button
            variant="primary"
            icon={<Dices aria-hidden />}
            busy={action.busy}
            busyLabel={tieText.drawing}
            onClick={draw}
          >
            {tieText.draw}
          </Button>
        )
      }
    >
      <OutcomeNotice outcome={action.outcome} />
      {!night.my.leads && (
        <p className="text-sm font-semibold">
          {host ? (
            <Sentence text={tieText.waitingFor} values={{ host: <Name>{nameOf(host)}</Name> }} />
          ) : (
            tieText.waiting
          )}
        </p>
      )}
      {night.everything_ruled_out && <p className="text-sm text-soft">{tieText.everythingRuledOut}</p>}
      <Chances odds={odds} games={games} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 text-xs text-soft">
          <Sentence
            text={tieText.seed}
            values={{ hash: <code className="font-mono break-all">{night.seed_hash}</code> }}
          />
        </p>
        <ReopenVote night={night} />
      </div>
    </Card>
  )
}

/** @param hash in hex */
export function DrawExplained({ hash }: { hash: string }) {
  return (
    <Fold isSmall title={tieText.how}>
      <p className="text-sm text-soft">
        <Sentence
          text={tieText.howText}
          values={{ hash: <code className="font-mono break-all text-ink">{hash}</code> }}
        />
      </p>
    </Fold>
  )
}

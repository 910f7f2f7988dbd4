/** The vote has ended and a draw decides: the odds, and the host's button (NIGHT-86). */
import { Dices } from 'lucide-react'
import { useMemo } from 'react'
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useDraw } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Chances, gamesOf } from './chances.tsx'
import { ReopenVote } from './reopen-vote.tsx'

const text = nights.tie

export function Tie({ night }: { night: Night }) {
  const drawing = useDraw(night.night_id)
  const action = useCallAction()
  const games = useMemo(() => gamesOf(night), [night])
  const odds = night.odds ?? []
  const host = night.people.find(({ steam_id }) => steam_id === night.host_steam_id)
  const isEqual = odds.every(({ weight }) => weight === odds[0]?.weight)

  const draw = action.run(() => drawing.mutateAsync(), { failed: text.drawFailed })

  return (
    <Card
      id="the-tie"
      title={isEqual ? text.title : text.drawTitle}
      className="border-violet/40!"
      // In view however many games there are below.
      action={
        night.my.leads && (
          <Button
            variant="primary"
            icon={<Dices aria-hidden />}
            busy={action.busy}
            busyLabel={text.drawing}
            onClick={draw}
          >
            {text.draw}
          </Button>
        )
      }
    >
      <OutcomeNotice outcome={action.outcome} />
      {!night.my.leads && (
        <p className="text-sm font-semibold">
          {host ? (
            <Sentence text={text.waitingFor} values={{ host: <Name>{nameOf(host)}</Name> }} />
          ) : (
            text.waiting
          )}
        </p>
      )}
      {night.everything_ruled_out && <p className="text-sm text-soft">{text.everythingRuledOut}</p>}
      <Chances odds={odds} games={games} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="min-w-0 text-xs text-soft">
          <Sentence
            text={text.seed}
            values={{ hash: <code className="font-mono break-all">{night.seed_hash}</code> }}
          />
        </p>
        <ReopenVote night={night} />
      </div>
    </Card>
  )
}

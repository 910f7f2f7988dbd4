/** That people whose libraries are not counted say they own a game (NIGHT-136). */
import { Check, Plus } from 'lucide-react'
import type { ShortlistEntry } from '#shared/nights/entities.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useClaimGame } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Name } from '../../ui/name.tsx'
import { Sentence } from '../../ui/sentence.tsx'

const text = nights.claims

/** My own button; nothing where I may not say it. */
export function ClaimGame({ night, game }: { night: Night; game: ShortlistEntry }) {
  const { steamId: me } = useSignedIn()
  const claiming = useClaimGame(night.night_id)
  const { outcome, run } = useCallAction()
  const owns = game.claimed_by.includes(me)
  if (!owns && !night.my.claimable.includes(game.appid)) return null
  // What was pressed is shown at once.
  const isPressed = claiming.isPending ? claiming.variables.owns : owns
  const Icon = isPressed ? Check : Plus
  return (
    <div className="mb-2 grid gap-2">
      <button
        type="button"
        aria-pressed={isPressed}
        onClick={run(() => claiming.mutateAsync({ appid: game.appid, owns: !owns }), { failed: text.failed })}
        className={
          'inline-flex min-h-11 items-center justify-center gap-2 rounded-control border px-3 text-sm font-semibold transition ' +
          (isPressed
            ? 'border-mint bg-mint/15 text-mint'
            : 'border-edge/45 bg-raised/70 text-ink hover:border-edge hover:bg-raised')
        }
      >
        <Icon aria-hidden className="size-4" />
        <span>
          {text.have} <span className="sr-only">{game.name}</span>
        </span>
      </button>
      <OutcomeNotice outcome={outcome} />
    </div>
  )
}

/** @param names of others who say that they own the game */
export function ClaimedBy({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const rest = names.length - NAMED
  return (
    <p className="line-clamp-2 text-xs text-soft" title={names.join(', ')}>
      <Sentence
        text={text.says}
        values={{
          names: (
            <>
              <Name className="font-semibold">{names.slice(0, NAMED).join(', ')}</Name>
              {rest > 0 && ` +${rest}`}
            </>
          ),
          people: names.length,
        }}
      />
    </p>
  )
}
const NAMED = 3

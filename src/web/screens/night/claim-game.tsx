/** That people whose libraries are not counted say they own a game (NIGHT-136). */
import { Check, Plus } from 'lucide-react'
import type { ShortlistEntry } from '#shared/nights/entities.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { type Night, useClaimGame } from '../../data/nights.ts'
import { nights } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'

const text = nights.claims

/** My own button. */
export function ClaimGame({ night, game }: { night: Night; game: ShortlistEntry }) {
  const { steamId: me } = useSignedIn()
  const claiming = useClaimGame(night.night_id)
  const { outcome, run } = useCallAction()
  const owns = game.claimed_by.includes(me)
  // What was pressed is shown at once.
  const isPressed = claiming.isPending ? claiming.variables.owns : owns
  const Icon = isPressed ? Check : Plus
  return (
    <div className="grid gap-2">
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
export function claimedText(names: readonly string[]): string {
  const rest = names.length - NAMED
  const named = names.slice(0, NAMED).join(', ')
  return text.says({ names: rest > 0 ? `${named} +${rest}` : named, people: names.length })
}
const NAMED = 3

/** Each member's hours in a game, with a dot that says whether they play it (GPAGE-14, GPAGE-27). */
import type { GroupMember } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { memberHours, type TogetherGame } from '../../data/common-games.ts'
import { gameMarks, group as groupTexts, gameView } from 'virtual:texts'
import { Name, nameOf } from '../../ui/people/name.tsx'

const texts = groupTexts.legend

/** The height of a member's row, in px. */
export const MEMBER_ROW_PX = 24

/** Most hours first (PAGE-12). */
export function GameHours({
  game,
  members,
  rows,
}: {
  game: TogetherGame
  members: readonly GroupMember[]
  /** Rows shown; all by default. */
  rows?: number
}) {
  return (
    <ul className="text-xs">
      {memberHours(game, members)
        .slice(0, rows)
        .map(({ steamId, member, minutes }) => {
          const place = game.elsewhere_places[steamId]
          const label = place
            ? gameMarks.places[place]
            : minutes === undefined
              ? texts.free
              : minutes > 0
                ? texts.plays
                : texts.never
          const plays = minutes !== undefined && minutes > 0
          return (
            <li key={steamId} className="flex min-w-0 items-center gap-2" style={{ height: MEMBER_ROW_PX }}>
              <Dot plays={plays} label={label} />
              <Name className="line-clamp-1 min-w-0 flex-1 text-soft">
                {member ? nameOf(member) : steamId}
              </Name>
              <span
                className={`whitespace-nowrap tabular-nums ${plays ? 'font-semibold' : 'text-soft'}`}
                title={plays ? undefined : label}
              >
                {place !== undefined
                  ? label
                  : minutes === undefined
                    ? groupTexts.free
                    : gameView.hours({ hours: roundedHours(minutes) })}
              </span>
            </li>
          )
        })}
    </ul>
  )
}

function Dot({ plays, label }: { plays: boolean; label: string }) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`forced-color-adjust-none size-2 shrink-0 rounded-round ${plays ? 'bg-mint' : 'border-[1.5px] border-edge'}`}
    />
  )
}

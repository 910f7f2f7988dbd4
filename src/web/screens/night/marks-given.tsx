/** The marks of all for a game, as avatars by mark (NIGHT-85). */
import { MARKS, type Mark } from '#shared/nights/votes.ts'
import type { GameScore, NightPlayer } from '#shared/nights/entities.ts'
import { nights } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { nameOf } from '../../ui/name.tsx'
import { markIcons } from './mark-choice.tsx'
import type { MarksOfGame } from './night-view.ts'

const text = nights.marks
const AVATARS = 6
const colours: Record<Mark, string> = { want: 'text-mint', fine: 'text-blue', no: 'text-rose' }

export function MarksGiven({
  marks,
  score,
}: {
  /** Undefined where nobody marked it. */
  marks: MarksOfGame | undefined
  score: GameScore | undefined
}) {
  return (
    <div className="grid gap-1.5 border-t border-line/60 pt-2">
      {score && (
        <p className="flex flex-wrap items-center gap-2 text-xs font-semibold tabular-nums">
          {text.score({ score: score.score })}
          {score.ruled_out && (
            <span className="rounded-chip bg-rose-deep/40 px-1.5 py-0.5 text-rose">{text.ruledOut}</span>
          )}
        </p>
      )}
      {marks === undefined ? (
        <p className="flex min-h-8 items-center text-xs text-soft">{text.noneGiven}</p>
      ) : (
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {MARKS.map((mark) => marks[mark].length > 0 && <Row key={mark} mark={mark} people={marks[mark]} />)}
        </ul>
      )}
    </div>
  )
}

function Row({ mark, people }: { mark: Mark; people: readonly NightPlayer[] }) {
  const { steamId: me } = useSignedIn()
  const Icon = markIcons[mark]
  const names = people.map((person) => (person.steam_id === me ? nights.you : nameOf(person))).join(', ')
  const given = text.by[mark]({ names })
  const rest = people.length - AVATARS
  return (
    <li className="flex min-h-8 items-center gap-1.5" title={given}>
      <Icon aria-hidden className={`size-4 shrink-0 ${colours[mark]}`} />
      <span className="sr-only">{given}</span>
      <span aria-hidden className="flex">
        {people.slice(0, AVATARS).map((person) => (
          <Avatar
            key={person.steam_id}
            src={person.avatar_url}
            size="tiny"
            className={`-mr-1 max-w-none border border-deep ${person.steam_id === me ? 'ring-2 ring-violet' : ''}`}
          />
        ))}
      </span>
      {rest > 0 && (
        <span aria-hidden className="ml-1.5 text-xs text-soft tabular-nums">
          +{rest}
        </span>
      )}
    </li>
  )
}

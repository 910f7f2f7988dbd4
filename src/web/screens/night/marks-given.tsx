/** The marks of all for a game and their sum, as avatars by mark at the end of its row (NIGHT-85). */
import { MARKS, type Mark } from '#shared/nights/votes.ts'
import type { NightPlayer } from '#shared/nights/entities.ts'
import { nights } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { nameOf } from '../../ui/name.tsx'
import { markIcons } from './mark-choice.tsx'
import type { MarksOfGame } from './night-view.ts'

const text = nights.marks
const AVATARS = 4
const colours: Record<Mark, string> = { want: 'text-mint', fine: 'text-blue', no: 'text-rose' }

export function MarksGiven({
  marks,
  score,
  isRuledOut,
}: {
  /** Undefined where nobody marked it. */
  marks: MarksOfGame | undefined
  /** Undefined where it has none. */
  score: number | undefined
  isRuledOut: boolean
}) {
  if (!marks) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <ul className="flex flex-wrap gap-x-2.5">
        {MARKS.map((mark) => marks[mark].length > 0 && <Row key={mark} mark={mark} people={marks[mark]} />)}
      </ul>
      {score !== undefined && (
        <p className="text-xs font-semibold whitespace-nowrap tabular-nums">
          {isRuledOut ? <span className="text-rose">{text.ruledOut}</span> : text.score({ score })}
        </p>
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
    <li className="flex min-h-6 items-center gap-1" title={given}>
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

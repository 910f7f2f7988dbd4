/** A game of the shortlist: picture, reasons, badges, who plays it, and marks (NIGHT-84, NIGHT-85). */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ShortlistEntry } from '#shared/nights/entities.ts'
import { reasonsOf } from '../../ui/reasons.ts'
import { gameList, nights } from '../../more-messages.ts'
import { FeatureBadges } from '../../ui/feature-badges.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { PlayersMark } from '../../ui/game-players-mark.tsx'
import type { GameLayout } from '../../ui/game-view.ts'
import { Name } from '../../ui/name.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { ClaimedBy } from './claim-game.tsx'
import type { ListedEntry } from './night-view.ts'

const text = nights.list

/** The names of a night's people by id, the ids of those whose libraries are not known, and mine. */
export type NamesOfNight = { nameById: ReadonlyMap<string, string>; unknown: readonly string[]; me: string }

/** @param children the marks */
export function ShortlistGame({
  entry: { game, is },
  people,
  size,
  layout,
  isPick,
  isDimmed,
  isMarked,
  isNew,
  children,
}: {
  entry: ListedEntry
  people: NamesOfNight
  /** How many want to play, where that counts. */
  size: number | undefined
  layout: GameLayout
  isPick: boolean
  isDimmed: boolean
  /** I marked it, so that the mark waits when the game is gone. */
  isMarked: boolean
  isNew: boolean
  children: ReactNode
}) {
  const isRow = layout === 'list'
  const namesOf = (ids: readonly string[]) => ids.map((id) => people.nameById.get(id) ?? id)
  return (
    <article
      aria-label={game.name}
      className={
        'relative flex h-full min-w-0 gap-x-4 gap-y-2.5 overflow-hidden rounded-card border bg-surface/85 p-2.5 shadow-card transition ' +
        (isRow ? 'flex-col @2xl:flex-row @2xl:items-center ' : 'flex-col sm:p-0 sm:pb-3 ') +
        (isPick ? 'border-mint ring-2 ring-mint/50' : 'border-line/70') +
        (is === 'gone' || isDimmed ? ' opacity-70' : '')
      }
    >
      <div
        className={`flex min-w-0 gap-3 ${isRow ? 'flex-1 flex-wrap items-center' : 'sm:flex-1 sm:flex-col sm:gap-0'}`}
      >
        <Link
          to={`/games/${game.appid}`}
          aria-hidden
          tabIndex={-1}
          className={isRow ? 'shrink-0' : 'shrink-0 sm:block'}
        >
          <GameArt
            game={game}
            className={isRow ? 'w-24 rounded-chip' : 'w-32 rounded-chip sm:w-auto sm:rounded-none'}
          />
        </Link>
        <div className={`flex min-w-0 flex-1 flex-col gap-1 ${isRow ? 'basis-36' : 'sm:px-3 sm:pt-3'}`}>
          <h3 className="min-w-0 text-[0.9375rem] font-semibold" title={game.name}>
            <Link to={`/games/${game.appid}`} className="-my-3 block py-3 hover:text-mint-bright">
              <Name className={isRow ? 'line-clamp-1' : 'line-clamp-2 sm:line-clamp-1'}>{game.name}</Name>
            </Link>
          </h3>
          <Reasons
            game={game}
            unknown={namesOf(people.unknown.filter((id) => !game.claimed_by.includes(id)))}
            isRow={isRow}
          />
          {is !== 'gone' && <Lacking names={namesOf(game.lacking)} />}
          {is !== 'gone' && <ClaimedBy names={namesOf(game.claimed_by.filter((id) => id !== people.me))} />}
          <div className="mt-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            {game.kind !== null && game.kind !== 'game' && (
              <span className="text-xs font-semibold text-amber">{gameList.kinds[game.kind]}</span>
            )}
            <PlayersMark game={game} people={size} />
            <OwnerDots game={game} className={isRow ? 'max-sm:hidden' : ''} />
          </div>
          {!isRow && (
            <div className="max-sm:hidden">
              <FeatureBadges game={game} />
            </div>
          )}
        </div>
      </div>
      <div className={`min-w-0 ${isRow ? '@2xl:w-80' : 'sm:px-3'}`}>
        {is === 'gone' ? (
          <p className="flex min-h-12 items-center text-sm font-semibold text-amber">
            {isMarked ? text.goneMarked : text.gone}
          </p>
        ) : (
          children
        )}
      </div>
      {isNew && is !== 'gone' && (
        <span className="pointer-events-none absolute top-2 left-2 rounded-chip bg-violet-deep px-1.5 py-0.5 text-xs font-semibold">
          {text.added}
        </span>
      )}
    </article>
  )
}

/** The reasons for its place, in one flowing line. */
function Reasons({
  game,
  unknown,
  isRow,
}: {
  game: ShortlistEntry
  unknown: readonly string[]
  isRow: boolean
}) {
  const reasons = reasonsOf(game, unknown)
  return (
    <p
      title={reasons.join(' · ')}
      className={`text-xs leading-relaxed text-soft ${isRow ? 'line-clamp-2' : 'line-clamp-3'}`}
    >
      {reasons.map((reason, nth) => (
        <span key={reason}>
          {nth > 0 && ' · '}
          <span className={nth === 0 ? 'font-semibold text-ink' : ''}>{reason}</span>
        </span>
      ))}
    </p>
  )
}

/** Who would have to stay away, or get it. */
function Lacking({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  const rest = names.length - LACKING_NAMED
  return (
    <p className="line-clamp-2 text-xs text-amber" title={names.join(', ')}>
      <Sentence
        text={text.lacking}
        values={{
          names: (
            <>
              <Name className="font-semibold">{names.slice(0, LACKING_NAMED).join(', ')}</Name>
              {rest > 0 && ` +${rest}`}
            </>
          ),
        }}
      />
    </p>
  )
}
const LACKING_NAMED = 3

const DOTS = 12
const dotLooks = { played: 'bg-mint', never: 'border-[1.5px] border-edge', unknown: 'bg-edge' }

/** What the dots of the games mean. */
export function DotsLegend({ games }: { games: readonly ShortlistEntry[] }) {
  const isUnknown = games.some(({ facts }) => facts.owners > facts.played + facts.never_played)
  const kinds = isUnknown ? (['played', 'never', 'unknown'] as const) : (['played', 'never'] as const)
  return (
    <p aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
      {kinds.map((kind) => (
        <span key={kind} className="inline-flex items-center gap-2">
          <i className={`forced-color-adjust-none size-2 rounded-round ${dotLooks[kind]}`} />
          {text.legend[kind]}
        </span>
      ))}
    </p>
  )
}

/** A dot for each owner: filled for those who have played it. More than fit are a number. */
function OwnerDots({ game: { facts }, className }: { game: ShortlistEntry; className: string }) {
  const { owners, played, never_played } = facts
  const unknown = Math.max(0, owners - played - never_played)
  if (owners < 2) return null
  const label = [
    ...(played > 0 ? [text.owners.played({ count: played })] : []),
    ...(never_played > 0 ? [text.owners.never({ count: never_played })] : []),
    ...(unknown > 0 ? [text.owners.unknown({ count: unknown })] : []),
  ].join(', ')
  const kinds = [
    ...Array<string>(played).fill(dotLooks.played),
    ...Array<string>(never_played).fill(dotLooks.never),
    ...Array<string>(unknown).fill(dotLooks.unknown),
  ]
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`inline-flex h-5 items-center gap-1 ${className}`}
    >
      {kinds.slice(0, DOTS).map((look, nth) => (
        <i key={nth} className={`forced-color-adjust-none size-2 rounded-round ${look}`} />
      ))}
      {kinds.length > DOTS && <span className="text-xs text-soft">+{kinds.length - DOTS}</span>}
    </span>
  )
}

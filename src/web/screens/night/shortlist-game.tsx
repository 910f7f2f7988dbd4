/** A game of the shortlist in a row: picture, name, why it is here or who lacks it, and marks (NIGHT-84, NIGHT-85). */
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ShortlistEntry } from '#shared/nights/entities.ts'
import { reasonsOf } from './reasons.ts'
import { gameList, gameMarks, gamePage, nights } from 'virtual:texts'
import { playersText } from '../../format.ts'
import { IconButton } from '../../ui/forms/button.tsx'
import { OutsideLink } from '../../ui/games/outside-link.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Name } from '../../ui/people/name.tsx'
import { isTooSmall } from '#shared/playable.ts'
import { elsewhereText } from '../../layout/game-marks.tsx'
import { isForAll, type ListedEntry } from './night-view.ts'

const text = nights.list

/** The names of a night's people by id, the ids of those whose libraries are not known, and mine. */
export type NamesOfNight = { nameById: ReadonlyMap<string, string>; unknown: readonly string[]; me: string }

/** @param children the marks */
export function ShortlistGame({
  entry: { game, is },
  people,
  size,
  isPick,
  isDimmed,
  isMarked,
  isNew,
  isLinked,
  given,
  onMore,
  children,
}: {
  entry: ListedEntry
  people: NamesOfNight
  /** How many want to play, where that counts. */
  size: number | undefined
  isPick: boolean
  isDimmed: boolean
  /** I marked it: the mark waits when the game is gone. */
  isMarked: boolean
  isNew: boolean
  /** Whether its name leads to its page: not beside my marks, which should get the press. */
  isLinked: boolean
  /** The marks of all. */
  given: ReactNode
  /** Opens what else I say of it. */
  onMore: (() => void) | undefined
  children: ReactNode
}) {
  return (
    <article
      aria-label={game.name}
      className={
        'group relative grid min-w-0 grid-cols-[5rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 rounded-control border bg-surface/85 p-1.5 pr-2 shadow-card ' +
        '@lg:grid-cols-[6rem_minmax(0,1fr)_auto] @3xl:grid-cols-[6rem_minmax(0,1fr)_auto_auto] ' +
        (isPick ? 'border-mint ring-2 ring-mint/50' : 'border-line/70') +
        (is === 'gone' || isDimmed ? ' opacity-70' : '')
      }
    >
      <GameArt game={game} className="w-full rounded-chip @lg:row-span-2" />
      {onMore && (
        <IconButton
          label={gameMarks.open({ game: game.name })}
          aria-haspopup="dialog"
          onClick={onMore}
          // On the picture where the marks take the rest of the row; of a finger's target only the middle is drawn there.
          className="@max-lg:col-start-3 @max-lg:-my-1 @lg:scheme-dark @lg:absolute! @lg:top-0 @lg:left-0 @lg:z-10 @lg:bg-deep/75 @lg:bg-clip-content @lg:p-2! @lg:text-ink @lg:opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        >
          <Ellipsis aria-hidden />
        </IconButton>
      )}
      <div
        className={`min-w-0 @max-lg:col-start-2 @max-lg:row-start-1 ${given ? '@3xl:row-span-2' : '@lg:row-span-2'}`}
      >
        <h3 className="text-[0.9375rem] leading-5 font-semibold" title={game.name}>
          {isLinked ? (
            <Link to={`/games/${game.appid}`} className="-my-3 block py-3 hover:text-mint-bright">
              <Name className="line-clamp-2 @lg:line-clamp-1">{game.name}</Name>
            </Link>
          ) : (
            <Name className="line-clamp-2 @lg:line-clamp-1">{game.name}</Name>
          )}
        </h3>
        {is === 'gone' ? (
          <p className="text-xs leading-5 font-semibold text-amber">
            {isMarked ? text.goneMarked : text.gone}
          </p>
        ) : game.link ? (
          <OutsideLink link={game.link} />
        ) : (
          <Why game={game} people={people} size={size} />
        )}
      </div>
      {given !== undefined && (
        <div className="min-w-0 @max-lg:col-span-full @lg:col-start-2 @3xl:col-start-3 @3xl:row-start-1 @3xl:row-span-2 empty:hidden">
          {given}
        </div>
      )}
      {is !== 'gone' && (
        <div className="flex min-w-0 flex-wrap items-center gap-1.5 @max-lg:col-span-full @lg:col-start-3 @lg:row-span-2 @lg:row-start-1 @3xl:col-start-4 empty:hidden">
          {children}
        </div>
      )}
      {isNew && is !== 'gone' && (
        <span className="pointer-events-none absolute top-1 left-1 rounded-chip bg-violet-deep px-1.5 py-0.5 text-xs font-semibold">
          {text.added}
        </span>
      )}
    </article>
  )
}

/** In one line: who lacks it, else how many own it and the reasons for its place. */
function Why({
  game,
  people,
  size,
}: {
  game: ShortlistEntry
  people: NamesOfNight
  size: number | undefined
}) {
  const namesOf = (ids: readonly string[]) => ids.map((id) => people.nameById.get(id) ?? id)
  const elsewhere = elsewhereText(game, (id) => people.nameById.get(id) ?? id)
  const max = game.players_max
  const isMissed = !isForAll(game)
  const parts = [
    ...(isMissed ? [text.lacking({ names: namesOf(game.lacking).join(', ') })] : []),
    ...(game.is_free === true ? [gamePage.free] : []),
    ...(size !== undefined && typeof max === 'number' && isTooSmall(game, size) ? [playersText(max)] : []),
    ...(elsewhere === undefined ? [] : [elsewhere]),
    ...(game.kind !== null && game.kind !== 'game' ? [gameList.kinds[game.kind]] : []),
    ...reasonsOf(game, namesOf(people.unknown.filter((id) => !game.elsewhere.includes(id)))),
  ]
  const isAmber = isMissed || (size !== undefined && isTooSmall(game, size))
  return (
    <p title={parts.join(' · ')} className="line-clamp-1 text-xs leading-5 text-soft">
      {parts.map((part, nth) => (
        <span key={part}>
          {nth > 0 && ' · '}
          <bdi className={nth > 0 ? '' : isAmber ? 'font-semibold text-amber' : 'font-semibold text-ink'}>
            {part}
          </bdi>
        </span>
      ))}
    </p>
  )
}

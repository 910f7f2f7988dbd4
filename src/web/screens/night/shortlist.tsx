/** The shortlist of a night, with filters and marks; later how everyone voted (NIGHT-84, NIGHT-85). */
import { Gamepad2, Search, SlidersHorizontal } from 'lucide-react'
import { type ComponentProps, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { ShortlistEntry } from '#shared/nights/entities.ts'
import type { Night } from '../../data/nights.ts'
import { messages } from '../../messages.ts'
import { gameList, nights } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { notesOn } from '../../ui/found-notes.ts'
import { GameFilters } from '../../ui/game-filters.tsx'
import {
  activeFilters,
  byName,
  findGames,
  type GameView,
  inOrder,
  NO_FILTER,
  type Order,
  viewParams,
} from '../../ui/game-view.ts'
import { nameOf } from '../../ui/name.tsx'
import { oneOf, useQueryView } from '../../ui/query-string.ts'
import { gameLayout } from '../../ui/remembered.ts'
import { anchors } from './anchors.ts'
import { BallotBar, focusVote } from './ballot-bar.tsx'
import { ClaimGame } from './claim-game.tsx'
import { isKeyOfVote, MarkChoice, markByKey } from './mark-choice.tsx'
import { MarksGiven } from './marks-given.tsx'
import { ballotOf, keepOrder, type ListedEntry, marksByGame, sizeOf, standsFor } from './night-view.ts'
import { DotsLegend, type NamesOfNight, ShortlistGame } from './shortlist-game.tsx'
import { useMarks } from './use-marks.ts'

const text = nights.list
type Sort = keyof typeof text.sorts
/** Of a row that the shared module can search and sort. */
type Row = ListedEntry &
  Pick<ShortlistEntry, 'appid' | 'name' | 'modes' | 'features' | 'kind' | 'players_max'>

const orders: Record<Sort, Order<Row>> = {
  rank: undefined,
  alphabetical: byName,
  fresh: (a, b) => b.game.facts.never_played - a.game.facts.never_played,
}
const params = {
  ...viewParams<Sort>(text.sorts, { people: true }),
  // Rows have their marks in the first view (NIGHT-141).
  view: oneOf(['list', 'tiles'], { remembered: gameLayout }),
}

/** @param pickedId the pick, once it may be told */
export function Shortlist({ night, pickedId }: { night: Night; pickedId: number | undefined }) {
  const { steamId: me } = useSignedIn()
  const { status, my, scores, shortlist } = night
  const isOpen = status === 'open'
  const canMark = isOpen && my.answer === 'in'
  const draft = useMarks(night.night_id, me, my.marks)
  const fresh = useFresh(night, me)
  const latest = useMemo(() => byScore(shortlist, scores), [shortlist, scores])
  const { entries, isOutdated, showLatest } = useKeptOrder(
    latest,
    `${status}${my.voted}${my.answer}`,
    // What I say that I own moves up, which must not happen under the finger.
    canMark && (draft.marks.size > 0 || my.claimable.length > 0),
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const [view, change] = useQueryView<GameView<Sort>>(params)
  const [isFiltering, setFiltering] = useState(() => view.search !== '')
  const filters = useId()
  const hasDots = shortlist.some(({ facts }) => facts.owners > 1)
  const ballot = ballotOf(draft.marks, shortlist)

  // Without a vote there is no list of it, which says nothing about the games of its people.
  if (shortlist.length === 0 && (status === 'cancelled' || status === 'over')) return null
  return (
    <section aria-labelledby={anchors.list} className="relative grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0 flex-1 basis-40">
          <h2
            id={anchors.list}
            ref={heading}
            tabIndex={-1}
            className="scroll-mt-24 text-lg font-semibold tracking-tight focus-visible:outline-none sm:text-xl"
          >
            {scores === null ? text.title : text.titleEnded}
          </h2>
          <Head night={night} />
        </div>
        {hasDots && (
          <div className="ml-auto max-md:hidden">
            <DotsLegend games={shortlist} />
          </div>
        )}
        {entries.length > 0 && (
          <Button
            className="shrink-0 px-3!"
            icon={<SlidersHorizontal aria-hidden />}
            aria-expanded={isFiltering}
            aria-controls={filters}
            onClick={() => setFiltering(!isFiltering)}
          >
            {activeFilters(view) === 0
              ? gameList.filters
              : gameList.activeFilters({ active: activeFilters(view) })}
          </Button>
        )}
      </div>
      {entries.length === 0 ? (
        <EmptyState icon={<Gamepad2 />}>{text.empty[emptyReason(night)]}</EmptyState>
      ) : (
        <>
          {canMark && <SkipToVote />}
          {isOpen && !canMark && <Hint night={night} />}
          <div id={filters} hidden={!isFiltering}>
            {isFiltering && (
              <Filters
                label={text.search}
                sorts={text.sorts}
                view={view}
                onChange={change}
                people={sizeOf(night)}
              />
            )}
          </div>
          {my.claimable.length > 0 && <p className="text-sm text-amber">{nights.claims.explained}</p>}
          <Games
            view={view}
            onChange={change}
            night={night}
            pickedId={pickedId}
            entries={entries}
            draft={canMark ? draft : undefined}
            fresh={fresh.appids}
          />
          {hasDots && (
            <div className={`md:hidden ${view.view === 'list' ? 'max-sm:hidden' : ''}`}>
              <DotsLegend games={shortlist} />
            </div>
          )}
        </>
      )}
      {isOpen && (
        <BallotBar
          night={night}
          ballot={ballot}
          canVote={canMark && shortlist.length > 0}
          onNewOrder={
            isOutdated
              ? () => {
                  showLatest()
                  heading.current?.focus()
                }
              : undefined
          }
          isChanged={draft.isChanged}
          fresh={fresh.appids.size}
          onRest={() => draft.markRest(shortlist, 'fine')}
          onClear={draft.clear}
          onUndo={draft.forget}
          onVoted={() => {
            draft.forget()
            fresh.remember()
          }}
        />
      )}
    </section>
  )
}

/** What the list stands for: games with all who may come, and with those who are in (NIGHT-123). */
function Head({ night }: { night: Night }) {
  const { shortlist, status, shortlist_total } = night
  const { coming, asked, games, gamesForAll } = standsFor(night)
  const isCut = shortlist_total > shortlist.length
  if (status === 'open' && asked > coming)
    return (
      <p className="text-sm text-soft">
        <span className="font-semibold text-ink">{text.ifAll({ people: asked, count: gamesForAll })}</span>
        {coming > 0 && games !== gamesForAll && ` · ${text.withThose({ people: coming, count: games })}`}
        {isCut && ` · ${text.bestShown({ shown: shortlist.length })}`}
        {shortlist.length > 0 && <Rules night={night} />}
      </p>
    )
  if (shortlist.length === 0) return null
  return (
    <p className="text-sm text-soft">
      {isCut
        ? text.best({ shown: shortlist.length, total: shortlist_total })
        : text.all({ count: shortlist.length })}
      {status === 'open' && <Rules night={night} />}
    </p>
  )
}

/** What who leads the night has chosen (NIGHT-3, NIGHT-129). */
function Rules({ night: { forbids, any_size } }: { night: Night }) {
  return (
    <>
      {forbids && ` · ${text.forbids}`}
      {any_size && ` · ${text.anySize}`}
    </>
  )
}

/** The games that came to the list since I voted in this tab (NIGHT-125). */
function useFresh({ night_id, my, status, shortlist }: Night, me: string) {
  const key = `night_listed_${me}_${night_id}`
  const [listed, setListed] = useState(() => readAppids(key))
  const isKnown = status === 'open' && my.voted && listed !== undefined
  const appids = useMemo(
    () => new Set(isKnown ? shortlist.map(({ appid }) => appid).filter((appid) => !listed.has(appid)) : []),
    [isKnown, listed, shortlist],
  )
  return {
    appids,
    /** Keeps the list as it is now. */
    remember: () => {
      const now = shortlist.map(({ appid }) => appid)
      sessionStorage.setItem(key, JSON.stringify(now))
      setListed(new Set(now))
    },
  }
}

function readAppids(key: string): ReadonlySet<unknown> | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (Array.isArray(stored)) return new Set<unknown>(stored)
  } catch {
    // Not written by this page.
  }
  return undefined
}

const RULED_OUT = -1e6
const TOO_SMALL = -2e6

function byScore(shortlist: readonly ShortlistEntry[], scores: Night['scores']): readonly ShortlistEntry[] {
  if (!scores) return shortlist
  const scoreOf = new Map(scores.map((one) => [one.appid, one.ruled_out ? RULED_OUT : one.score]))
  // Games for fewer people have no score (NIGHT-128).
  const rankOf = ({ appid }: ShortlistEntry) => scoreOf.get(appid) ?? TOO_SMALL
  return shortlist.toSorted((a, b) => rankOf(b) - rankOf(a))
}

/** The order of a list that I marked stays until the new one is asked for, or until `phase` changes, such as by my vote. */
function useKeptOrder(latest: readonly ShortlistEntry[], phase: string, isMarked: boolean) {
  const [kept, setKept] = useState({ phase, shown: latest })
  if (kept.phase !== phase || (!isMarked && kept.shown !== latest)) setKept({ phase, shown: latest })
  const { entries, isOutdated } = useMemo(() => keepOrder(kept.shown, latest), [kept.shown, latest])
  return { entries, isOutdated, showLatest: () => setKept({ phase, shown: latest }) }
}

function emptyReason({ people, unknown }: Night): keyof typeof text.empty {
  const all = people.filter(({ answer }) => answer !== 'out').length
  if (all === 0) return 'nobody'
  return unknown.length === all ? 'unknown' : 'none'
}

/** Past the games, each of which takes two tab stops; within them the key V does the same. */
function SkipToVote() {
  return (
    <a
      href={`#${anchors.vote}`}
      className="pointer-events-none absolute top-0 right-0 z-20 inline-flex min-h-11 items-center rounded-control bg-mint px-4 font-semibold text-ground opacity-0 focus-visible:pointer-events-auto focus-visible:opacity-100"
      onClick={(event) => {
        event.preventDefault()
        focusVote()
      }}
    >
      {text.toVote}
    </a>
  )
}

/** To who cannot mark the games. */
function Hint({ night: { my } }: { night: Night }) {
  return (
    <p className="text-sm text-soft">
      {my.has_voted ? (
        text.voteRests
      ) : my.answer === 'out' ? (
        text.whenOut
      ) : (
        <a href={`#${anchors.answer}`} className="font-semibold text-mint underline-offset-4 hover:underline">
          {text.inFirst}
        </a>
      )}
    </p>
  )
}

/** The search takes the focus when the filters are unfolded, but not from who has just opened the page. */
function Filters(props: ComponentProps<typeof GameFilters<Sort>>) {
  const box = useRef<HTMLDivElement>(null)
  const takesFocus = useRef(props.view.search === '')
  useEffect(() => {
    if (takesFocus.current) box.current?.querySelector('input')?.focus()
  }, [])
  return (
    <div ref={box}>
      <GameFilters {...props} />
    </div>
  )
}

/** @param draft my marks, where I can make them */
function Games({
  night,
  pickedId,
  entries,
  draft,
  fresh,
  view,
  onChange: change,
}: {
  night: Night
  view: GameView<Sort>
  onChange: (part: Partial<GameView<Sort>>) => void
  pickedId: number | undefined
  entries: readonly ListedEntry[]
  draft: ReturnType<typeof useMarks> | undefined
  /** Games that are new since I voted. */
  fresh: ReadonlySet<number>
}) {
  const { steamId: me } = useSignedIn()
  const { search, mode, kind, own, fits, sort, view: layout } = useDeferredValue(view)
  const size = sizeOf(night)
  const found = useMemo(() => {
    const rows = entries.map((entry): Row => ({ ...entry, ...entry.game }))
    return findGames(inOrder(rows, orders[sort]), { search, mode, kind, own, fits }, { people: size })
  }, [entries, search, mode, kind, own, fits, sort, size])
  const people = useMemo((): NamesOfNight => {
    const nameById = new Map(
      night.people.map((person) => [
        person.steam_id,
        person.steam_id === me ? nights.youWithin : nameOf(person),
      ]),
    )
    return { nameById, unknown: night.unknown, me }
  }, [night.people, night.unknown, me])
  const given = useMemo(() => marksByGame(night.people), [night.people])
  const scoreOf = useMemo(() => new Map(night.scores?.map((score) => [score.appid, score])), [night.scores])
  const count = found.games.length + found.unknownModes.length

  const listOf = (rows: readonly Row[], label: string) => (
    <ul
      aria-label={label}
      className={
        layout === 'list'
          ? '@container grid gap-2 vast:grid-cols-2'
          : 'grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(16.5rem,1fr))] sm:gap-3.5'
      }
    >
      {rows.map((row) => {
        const { game } = row
        const score = scoreOf.get(game.appid)
        return (
          <li
            key={game.appid}
            className="min-w-0"
            onKeyDown={
              draft && row.is !== 'gone'
                ? (event) => {
                    if (isKeyOfVote(event)) focusVote()
                    else markByKey(event, (mark) => draft.mark(game.appid, mark))
                  }
                : undefined
            }
          >
            <ShortlistGame
              entry={row}
              people={people}
              size={size}
              layout={layout}
              isPick={pickedId === game.appid}
              isDimmed={score?.ruled_out ?? false}
              isMarked={draft?.marks.has(game.appid) ?? false}
              isNew={night.my.voted ? fresh.has(game.appid) : row.is === 'added'}
            >
              {night.status === 'open' && <ClaimGame night={night} game={game} />}
              {draft && (
                <MarkChoice
                  game={game.name}
                  mark={draft.marks.get(game.appid)}
                  onMark={(mark) => draft.mark(game.appid, mark)}
                />
              )}
              {given && <MarksGiven marks={given.get(game.appid)} score={score} />}
            </ShortlistGame>
          </li>
        )
      })}
    </ul>
  )

  return (
    <>
      <p role="status" className="-mt-1 text-sm text-soft tabular-nums empty:hidden">
        {count < entries.length &&
          [messages.gameView.count({ games: found.games.length }), ...notesOn(found, size)].join(' · ')}
      </p>
      {count + found.tooSmall.length === 0 && (
        <EmptyState
          icon={<Search />}
          action={<Button onClick={() => change(NO_FILTER)}>{messages.gameView.showAll}</Button>}
        >
          {text.noMatch}
        </EmptyState>
      )}
      {found.games.length > 0 && listOf(found.games, text.title)}
      {found.unknownModes.length > 0 && (
        <>
          <p className="border-t border-line/60 pt-4 text-sm text-soft">{gameList.unknownModesHint}</p>
          {listOf(found.unknownModes, gameList.unknownModes)}
        </>
      )}
      {size !== undefined && found.tooSmall.length > 0 && (
        <section
          aria-labelledby={anchors.tooSmall}
          className="grid min-w-0 gap-4 border-t border-line/60 pt-4"
        >
          <div>
            <h3 id={anchors.tooSmall} className="font-semibold tracking-tight">
              {gameList.tooSmall({ people: size })}
            </h3>
            {night.status === 'open' && (
              <p className="text-sm text-soft">
                {text.tooSmall} {night.my.leads && text.allowThem}
              </p>
            )}
          </div>
          {listOf(found.tooSmall, gameList.tooSmall({ people: size }))}
        </section>
      )}
    </>
  )
}

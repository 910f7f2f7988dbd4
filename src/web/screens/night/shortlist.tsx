/** The games of a night, with my marks; once I have voted with everybody's, best score first (NIGHT-84, NIGHT-85). */
import { Gamepad2 } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { ShortlistEntry } from '#shared/nights/entities.ts'
import { isTooSmall } from '#shared/playable.ts'
import type { Night } from '../../data/nights.ts'
import { gameList, nights } from 'virtual:texts'
import { GameMarksDialog } from '../../layout/game-marks.tsx'
import { useSignedIn } from '../../session.ts'
import { EmptyState } from '../../ui/frames/loaded.tsx'
import { Fold } from '../../ui/frames/fold.tsx'
import { nameOf } from '../../ui/people/name.tsx'
import {
  anchors,
  ballotOf,
  byScore,
  isForAll,
  keepOrder,
  type ListedEntry,
  marksByGame,
  scoresOf,
  sizeOf,
  standsFor,
} from './night-view.ts'
import { BallotBar, focusVote } from './ballot-bar.tsx'
import { isKeyOfVote, MarkChoice, markByKey, MarksGiven, useMarks } from './mark-choice.tsx'
import { type NamesOfNight, ShortlistGame } from './shortlist-game.tsx'

const text = nights.list
/** As many games as there is room for, on phones below the answer. The window's own height is not read: that lays it out. */
const ROWS_FIRST = Math.ceil(screen.width < 640 ? (screen.height - 400) / 104 : screen.height / 66)

/** @param pickedId the pick, once it may be told */
export function Shortlist({ night, pickedId }: { night: Night; pickedId: number | undefined }) {
  const { steamId: me } = useSignedIn()
  const { status, my, scores, shortlist } = night
  const isOpen = status === 'open'
  const canMark = isOpen && my.answer === 'in'
  // What I want with the group, until I have voted (WISH-3).
  const wished = useMemo(() => my.wishes.map((appid) => ({ appid, mark: 'want' as const })), [my.wishes])
  const draft = useMarks(night.night_id, me, my.marks ?? wished)
  const fresh = useFresh(night, me)
  const latest = useMemo(() => byScore(night), [night])
  const { entries, isOutdated, showLatest } = useKeptOrder(
    latest,
    `${status}${my.voted}${my.answer}`,
    canMark && draft.marks.size > 0,
  )
  const heading = useRef<HTMLHeadingElement>(null)
  const ballot = ballotOf(draft.marks, shortlist)

  // An empty list says nothing about the players' games if no vote made it.
  if (shortlist.length === 0 && (status === 'cancelled' || status === 'over')) return null
  return (
    <section aria-labelledby={anchors.list} className="relative grid min-w-0 gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2
          id={anchors.list}
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-24 text-lg font-semibold tracking-tight focus-visible:outline-none"
        >
          {scores !== null && night.people.some(({ voted }) => voted) ? text.titleEnded : text.title}
        </h2>
        <Head night={night} />
      </div>
      {entries.length === 0 ? (
        <EmptyState icon={<Gamepad2 />}>{text.empty[emptyReason(night)]}</EmptyState>
      ) : (
        <>
          {canMark && <SkipToVote />}
          {isOpen && !canMark && <Hint night={night} />}
          {canMark && shortlist.some(({ appid }) => my.wishes.includes(appid)) && (
            <p className="text-sm text-soft">{text.fromWishes}</p>
          )}
          <Games
            night={night}
            pickedId={pickedId}
            entries={entries}
            draft={canMark ? draft : undefined}
            fresh={fresh.appids}
          />
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
          onRest={() =>
            draft.markRest(
              shortlist.filter((game) => night.any_owner || isForAll(game)),
              'fine',
            )
          }
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

/** How many games it has and for whom (NIGHT-83), and what its leader has chosen. */
function Head({ night }: { night: Night }) {
  const { shortlist, status, forbids, any_owner } = night
  if (shortlist.length === 0) return null
  const { asked, counted, games } = standsFor(night)
  return (
    <p className="text-sm text-soft">
      {status !== 'open' || asked < 2
        ? text.all({ count: games })
        : counted < asked
          ? text.withCounted({ count: games, counted, people: asked })
          : text.allOwn({ count: games, people: asked })}
      {status === 'open' && forbids && ` · ${text.forbids}`}
      {status === 'open' && any_owner && ` · ${text.anyOwner}`}
    </p>
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

/** For users who cannot mark games. */
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

/** @param draft my marks, where I can make them */
function Games({
  night,
  pickedId,
  entries,
  draft,
  fresh,
}: {
  night: Night
  pickedId: number | undefined
  entries: readonly ListedEntry[]
  draft: ReturnType<typeof useMarks> | undefined
  /** Games that are new since I voted. */
  fresh: ReadonlySet<number>
}) {
  const { steamId: me } = useSignedIn()
  const size = sizeOf(night)
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
  const scores = useMemo(() => scoresOf(night), [night])
  const [opened, setOpened] = useState<ShortlistEntry>()

  const kindOf = ({ game, is }: ListedEntry) =>
    is !== 'gone' && size !== undefined && isTooSmall(game, size)
      ? 'tooSmall'
      : isForAll(game)
        ? 'all'
        : 'missed'
  const [all, missed, tooSmall] = (['all', 'missed', 'tooSmall'] as const).map((kind) =>
    entries.filter((entry) => kindOf(entry) === kind),
  ) as [ListedEntry[], ListedEntry[], ListedEntry[]]
  // A slow phone paints those in view before the others.
  const shown = useDeferredValue(entries.length, ROWS_FIRST)

  const listOf = (rows: readonly ListedEntry[], label: string) => (
    <ul aria-label={label} className="@container grid gap-1.5">
      {rows.slice(0, shown).map((row) => (
        <li
          key={row.game.appid}
          className="min-w-0"
          onKeyDown={
            draft && row.is !== 'gone'
              ? (event) => {
                  if (isKeyOfVote(event)) focusVote()
                  else markByKey(event, (mark) => draft.mark(row.game.appid, mark))
                }
              : undefined
          }
        >
          <ShortlistGame
            entry={row}
            people={people}
            size={size}
            isPick={pickedId === row.game.appid}
            isDimmed={scores?.ruledOut.has(row.game.appid) ?? false}
            isMarked={draft?.marks.has(row.game.appid) ?? false}
            isNew={night.my.voted ? fresh.has(row.game.appid) : row.is === 'added'}
            isLinked={!draft && !row.game.link}
            onMore={night.status === 'open' && !row.game.link ? () => setOpened(row.game) : undefined}
            given={
              given && (
                <MarksGiven
                  marks={given.get(row.game.appid)}
                  score={scores?.scores.get(row.game.appid)}
                  isRuledOut={scores?.ruledOut.has(row.game.appid) ?? false}
                />
              )
            }
          >
            {draft && (
              <MarkChoice
                game={row.game.name}
                mark={draft.marks.get(row.game.appid)}
                onMark={(mark) => draft.mark(row.game.appid, mark)}
              />
            )}
          </ShortlistGame>
        </li>
      ))}
    </ul>
  )

  return (
    <>
      <GameMarksDialog
        game={opened ?? { appid: 0, name: '' }}
        groupId={night.group?.group_id}
        open={opened !== undefined}
        onClose={() => setOpened(undefined)}
      />
      {all.length > 0 && listOf(all, text.title)}
      {missed.length > 0 && (
        <ListFold
          id={anchors.missed}
          title={text.missed({ count: missed.length })}
          isOpen={night.any_owner || all.length === 0}
          hint={[!night.any_owner && text.missedHint, night.my.leads && !night.any_owner && text.allowThem]}
        >
          {listOf(missed, text.missed({ count: missed.length }))}
        </ListFold>
      )}
      {size !== undefined && tooSmall.length > 0 && (
        <ListFold
          id={anchors.tooSmall}
          title={`${gameList.tooSmall({ people: size })} (${tooSmall.length})`}
          isOpen={all.length + missed.length === 0}
          hint={night.status === 'open' ? [text.tooSmall] : []}
        >
          {listOf(tooSmall, gameList.tooSmall({ people: size }))}
        </ListFold>
      )}
    </>
  )
}

/** Games that are not picked as things stand. */
function ListFold({
  id,
  title,
  isOpen,
  hint,
  children,
}: {
  id: string
  title: string
  isOpen: boolean
  hint: readonly (string | false)[]
  children: ReactNode
}) {
  return (
    <Fold key={String(isOpen)} isSmall id={id} title={title} open={isOpen}>
      <p className="text-sm text-soft empty:hidden">
        {hint.filter((sentence) => sentence !== false).join(' ')}
      </p>
      {children}
    </Fold>
  )
}

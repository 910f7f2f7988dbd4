/** My mark for a game: want, fine or not tonight, by thumb and by keys (NIGHT-85). */
import { Heart, Moon, ThumbsUp } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { MARKS, type Mark, type Ballot } from '#shared/nights/votes.ts'
import { nights } from 'virtual:texts'
import type { NightPlayer } from '#shared/nights/entities.ts'
import { useSignedIn } from '../../session.ts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { nameOf } from '../../ui/people/name.tsx'
import type { MarksOfGame, Marks } from './night-view.ts'

const text = nights.marks
const markIcons = { want: Heart, fine: ThumbsUp, no: Moon } as const
const chosenLook: Record<Mark, string> = {
  want: 'bg-mint text-ground',
  fine: 'bg-blue text-ground',
  no: 'bg-rose-deep text-ink',
}

/** A radio group; pressing the chosen mark again takes it back. */
export function MarkChoice({
  game,
  mark,
  onMark,
}: {
  game: string
  mark: Mark | undefined
  onMark: (mark: Mark | undefined) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex flex-auto flex-wrap rounded-control border border-edge/45 bg-deep/60">
      <legend className="sr-only">{text.legend({ game })}</legend>
      {MARKS.map((option) => {
        const Icon = markIcons[option]
        const isChosen = option === mark
        return (
          <label
            key={option}
            className={
              'relative flex min-h-11 min-w-11 flex-auto cursor-pointer items-center justify-center gap-1.5 rounded-chip px-2 text-sm font-semibold transition ' +
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-mint ' +
              (isChosen ? chosenLook[option] : 'text-soft hover:text-ink')
            }
          >
            <input
              type="radio"
              name={name}
              data-mark={option}
              checked={isChosen}
              onChange={() => onMark(option)}
              onClick={() => isChosen && onMark(undefined)}
              className="absolute inset-0 scroll-mt-24 scroll-mb-32 cursor-pointer appearance-none opacity-0"
            />
            {/* Beside the names there is room for the words only, until the row is wide. */}
            <Icon aria-hidden className="size-4 shrink-0 @lg:hidden @3xl:block" />
            <span className="whitespace-nowrap">{text.options[option]}</span>
          </label>
        )
      })}
    </fieldset>
  )
}

/** V leads from a game to the vote. */
export function isKeyOfVote({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'v' && !ctrlKey && !altKey && !metaKey
}

const keys: Readonly<Record<string, Mark | null>> = {
  1: 'want',
  2: 'fine',
  3: 'no',
  0: null,
  Backspace: null,
}

/**
 * Digits mark the game that has the focus, and the focus moves on to the next one. For the key handler of a game that is
 * an entry of a list.
 */
export function markByKey(event: KeyboardEvent<HTMLElement>, onMark: (mark: Mark | undefined) => void): void {
  if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return
  event.preventDefault()
  const mark = keys[event.key] ?? undefined
  onMark(mark)
  if (mark === undefined) return
  let next = event.currentTarget.closest('li')?.nextElementSibling
  // A game that is gone has nothing to mark.
  while (next && !next.querySelector('[data-mark]')) next = next.nextElementSibling
  const target = next ?? event.currentTarget
  const radio =
    target.querySelector<HTMLElement>('[data-mark]:checked') ??
    target.querySelector<HTMLElement>('[data-mark]')
  radio?.focus()
}

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

/**
 * Unsent marks survive a reload, and stay in this tab.
 * @param sent what I voted with; null before that
 */
export function useMarks(nightId: number, me: string, sent: Ballot | null) {
  const key = `night_marks_${me}_${nightId}`
  const [draft, setDraft] = useState<Marks | undefined>(() => read(key))
  const stored = useMemo(() => new Map(sent?.map(({ appid, mark }) => [appid, mark])), [sent])
  const marks = draft ?? stored

  function change(next: Marks | undefined): void {
    setDraft(next)
    if (next === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify([...next]))
  }

  return {
    marks,
    /** Whether there is something to send. */
    isChanged: draft !== undefined && !isSame(draft, stored),
    /** Marks a game; undefined for no mark. */
    mark: (appid: number, mark: Mark | undefined) => {
      const next = new Map(marks)
      if (mark === undefined) next.delete(appid)
      else next.set(appid, mark)
      change(next)
    },
    /** Marks the games that have no mark. */
    markRest: (games: readonly { appid: number }[], mark: Mark) =>
      change(new Map([...games.map(({ appid }) => [appid, mark] as const), ...marks])),
    clear: () => change(new Map()),
    /** Forgets the draft. */
    forget: () => change(undefined),
  }
}

function isSame(one: Marks, other: Marks): boolean {
  return one.size === other.size && [...one].every(([appid, mark]) => other.get(appid) === mark)
}

function read(key: string): Marks | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (Array.isArray(stored)) return new Map(stored.filter(isMark))
  } catch {
    // Not written by this page.
  }
  return undefined
}

function isMark(entry: unknown): entry is [number, Mark] {
  return (
    Array.isArray(entry) && Number.isInteger(entry[0]) && (MARKS as readonly unknown[]).includes(entry[1])
  )
}

/** The three steps of a new user, in the place where the answer then stands (LOOK-31). */
import { useQueries, useQuery } from '@tanstack/react-query'
import { Check, Gamepad2, Lock, Search } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import type { Friend } from '#shared/entities.ts'
import { isPlayableTogether } from '#shared/playable.ts'
import { friendsQueries, useSyncFriends } from '../../data/friends.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { messages, firstRun, myGames, friends as friendsTexts, dashboard } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { presenceText } from '../../ui/people/avatar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { peopleStatus } from '../../ui/people/people-options.tsx'
import { PeopleRow } from '../../ui/people/people-row.tsx'
import { peopleMatching } from '../../ui/people/people.ts'
import { SteamPrivacyLink } from '../../ui/people/steam-privacy.tsx'
import { SyncButton } from '../../ui/forms/sync-button.tsx'
import { suggestedGroupName, type FirstGroup } from './first-group.ts'
import type { FirstStep } from './first-run.ts'
import { inOrderToOffer, inTheirPlaces, SUGGESTED, suggestedFriends } from './who-is-playing.ts'

const texts = firstRun

const order = ['games', 'friends', 'group'] as const
type StepState = 'done' | 'private' | 'current' | 'later'

/** The steps, of which the first two run by themselves, and what to do in the current one. */
export function FirstNight({ next, making }: { next: FirstStep; making: FirstGroup }) {
  const at = order.indexOf(next.step === 'libraries' ? 'group' : next.step)
  const areGamesPrivate = 'areGamesPrivate' in next && next.areGamesPrivate
  const states = order.map((step, index): StepState => {
    if (index >= at) return index === at ? 'current' : 'later'
    return step === 'games' && areGamesPrivate ? 'private' : 'done'
  })
  const section = useFocusAfterStep(next.step)
  // Stays, complete, when the last library has been read: what stands above it would move otherwise.
  const [total, setTotal] = useState<number>()
  if (next.step === 'libraries' && next.total !== total) setTotal(next.total)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={texts.title}
      className="flex flex-1 flex-col gap-5 focus-visible:outline-none"
    >
      <ol className="flex flex-wrap gap-x-6 gap-y-3">
        {order.map((step, index) => (
          <li
            key={step}
            aria-current={index === at ? 'step' : undefined}
            // Small screens show only the current step.
            className={`flex min-w-0 items-center gap-3 ${index === at ? '' : 'max-sm:sr-only'}`}
          >
            <Mark state={states[index]!} number={index + 1} />
            <p className={index === at ? 'font-semibold' : 'text-sm text-soft'}>
              {texts[step]}
              {states[index] === 'done' && <span className="sr-only"> ({texts.done})</span>}
              {states[index] === 'private' && <span className="sr-only"> ({texts.private})</span>}
            </p>
          </li>
        ))}
      </ol>
      {areGamesPrivate && <PrivateGames />}
      {next.step === 'games' || next.step === 'friends' ? (
        <Reading next={next} />
      ) : (
        <Tonight making={making} />
      )}
      {total !== undefined && (
        <Libraries read={next.step === 'libraries' ? next.read : total} total={total} />
      )}
    </section>
  )
}

/** Takes the focus that is lost with the button of the step before. */
function useFocusAfterStep(step: FirstStep['step']) {
  const section = useRef<HTMLElement>(null)
  const before = useRef(step)
  useEffect(() => {
    if (before.current === step) return
    before.current = step
    if (document.activeElement === document.body) section.current?.focus({ preventScroll: true })
  }, [step])
  return section
}

const markColors = {
  done: 'bg-mint/20 text-mint',
  private: 'bg-raised text-amber',
  current: 'bg-mint text-ground',
  later: 'bg-raised text-soft',
} as const satisfies Record<StepState, string>

/** The number of a step, or an icon for its result. */
function Mark({ state, number }: { state: StepState; number: number }) {
  return (
    <span
      aria-hidden
      className={`grid size-8 shrink-0 place-items-center rounded-round text-sm font-bold tabular-nums ${markColors[state]}`}
    >
      {state === 'done' ? (
        <Check className="size-4" />
      ) : state === 'private' ? (
        <Lock className="size-4" />
      ) : (
        number
      )}
    </span>
  )
}

/** Games or friends: that they are being synced, why to sync them, or what blocks that. */
function Reading({ next }: { next: Extract<FirstStep, { isSyncing: boolean }> }) {
  const { steamId } = useSignedIn()
  const games = useSyncGames(steamId, steamId)
  const friends = useSyncFriends(steamId)
  const isGames = next.step === 'games'
  const isNeeded = !next.isSyncing
  const { privateExplained } = isGames ? myGames : friendsTexts
  return (
    <div className="grid flex-1 content-center justify-items-center gap-5 rounded-control bg-deep/40 px-5 py-8 text-center">
      {next.isSyncing ? (
        <>
          <p role="status" className="max-w-[44ch] text-lg">
            {isGames ? dashboard.gamesSyncing : dashboard.friendsSyncing}
          </p>
          <div aria-hidden className="reading-on h-1.5 w-full max-w-72 rounded-round bg-raised" />
          <p className="text-sm text-soft">{texts.then}</p>
        </>
      ) : (
        <p className="flex max-w-[52ch] gap-2.5">
          {next.isPrivate && <Lock aria-hidden className="mt-1 size-4 shrink-0 text-amber" />}
          {next.isPrivate ? privateExplained : isGames ? texts.gamesWhy : texts.friendsWhy}
        </p>
      )}
      {isNeeded && next.isPrivate && <SteamPrivacyLink />}
      {isNeeded && (
        <div className="flex flex-wrap justify-center gap-3">
          {isGames && <SyncButton label={myGames.sync} sync={games} syncedAt={null} hideStatus />}
          {/* Friends can be synced before the user makes the games public. */}
          {(!isGames || next.isPrivate) && (
            <SyncButton
              label={friendsTexts.sync}
              sync={friends}
              syncedAt={isGames ? undefined : null}
              hideStatus
            />
          )}
        </div>
      )}
    </div>
  )
}

/** Who is playing tonight: choosing friends makes the group, and the answer follows in this place. */
function Tonight({ making }: { making: FirstGroup }) {
  const { steamId, displayName } = useSignedIn()
  const inOrder = useFriendsToOffer(steamId)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [search, setSearch] = useState('')
  // The suggestions stay while the pointer or the focus is among them, and from the first choice on.
  const [held, setHeld] = useState<readonly Friend[]>()
  const hold = () => setHeld((already) => already ?? friends)
  const release = () => chosen.size === 0 && setHeld(undefined)
  const friends = held ?? inOrder
  const [places, setPlaces] = useState<readonly string[]>([])
  const found = useMemo(() => peopleMatching(friends, search), [friends, search])
  const shown = useMemo(() => {
    const suggested = suggestedFriends(friends, found, chosen)
    return search === '' ? inTheirPlaces(places, suggested) : suggested
  }, [friends, found, search, chosen, places])
  const ids = shown.map(({ steam_id }) => steam_id)
  if (search === '' && ids.join() !== places.join()) setPlaces(ids)

  function toggle(id: string) {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
    hold()
  }
  const firstMatch = search.trim() === '' ? undefined : found[0]
  function onSearchKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    // Enter may belong to an input method.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    // It chooses, as in every search for people, and must not make the group.
    event.preventDefault()
    if (!firstMatch) return
    toggle(firstMatch.steam_id)
    setSearch('')
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen.size > 0) making.make([...chosen])
  }

  return (
    <form onSubmit={submit} className="flex flex-1 flex-col gap-4">
      {friends.length > SUGGESTED && (
        <TextField
          label={texts.find}
          hideLabel
          type="search"
          icon={<Search />}
          placeholder={texts.find}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          // The next name replaces one that was found and chosen by a click.
          onFocus={(event) => event.target.select()}
          onKeyDown={onSearchKeyDown}
        />
      )}
      <div
        role="group"
        aria-label={texts.group}
        onPointerEnter={hold}
        onFocus={hold}
        onBlur={release}
        onPointerCancel={release}
        // A finger leaves before it has pressed; if it scrolls instead, its pointer is cancelled.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && release()}
        className="grid flex-1 grid-cols-[repeat(auto-fill,minmax(min(100%,15rem),1fr))] content-start gap-2"
      >
        {shown.map((friend) => (
          <FriendChip
            key={friend.steam_id}
            friend={friend}
            isChosen={chosen.has(friend.steam_id)}
            isFirstMatch={friend === firstMatch}
            onToggle={() => toggle(friend.steam_id)}
          />
        ))}
        {/* Announces to screen readers how many were found, and which of them Enter chooses. */}
        <p role="status" className={found.length === 0 ? 'p-2 text-sm text-soft' : 'sr-only'}>
          {search !== '' && peopleStatus(found.length, firstMatch)}
        </p>
      </div>
      <OutcomeNotice outcome={making.outcome} />
      <div className="flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <p aria-live="polite" className="min-w-0 flex-1 basis-56 text-sm text-soft">
          {chosen.size === 0
            ? texts.groupWhy
            : texts.chosen({ friends: chosen.size, group: suggestedGroupName(new Date(), displayName) })}
        </p>
        <Button
          type="submit"
          variant="primary"
          icon={<Gamepad2 aria-hidden />}
          className="max-sm:w-full"
          disabled={chosen.size === 0}
          busy={making.busy}
          busyLabel={texts.looking}
        >
          {texts.see}
        </Button>
      </div>
    </form>
  )
}

/** How many of my games are asked about. */
const GAMES_ASKED = 5

/** My friends in the order to offer them. */
function useFriendsToOffer(steamId: string): readonly Friend[] {
  const friends = useQuery(friendsQueries.stored(steamId)).data?.friends
  const games = useQuery(libraryQueries.games(steamId)).data?.games ?? []
  const owners = useQueries({
    queries: games
      .filter((game) => game.modes.length === 0 || isPlayableTogether(game))
      .slice(0, GAMES_ASKED)
      .map(({ appid }) => friendsQueries.ofGame(steamId, appid)),
    combine: ownersOf,
  })
  return useMemo(() => inOrderToOffer(friends ?? [], owners), [friends, owners])
}

function ownersOf(results: readonly { data: readonly { steam_id: string }[] | undefined }[]) {
  return results.map(({ data }) => new Set(data?.map(({ steam_id }) => steam_id)))
}

function FriendChip({
  friend,
  isChosen,
  isFirstMatch,
  onToggle,
}: {
  friend: Friend
  isChosen: boolean
  /** Enter in the search chooses this friend. */
  isFirstMatch: boolean
  onToggle: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-description={presenceText(friend)}
      onClick={onToggle}
      className={`flex min-h-14 min-w-0 items-center gap-3 rounded-control border bg-deep/40 px-3 py-1.5 text-left text-sm transition hover:bg-raised/70 aria-pressed:border-violet aria-pressed:bg-violet-deep/45 ${isFirstMatch ? 'border-violet/60' : 'border-line/70'}`}
    >
      <PeopleRow friend={friend} />
      {isChosen && <Check aria-hidden className="size-5 shrink-0 text-mint" />}
    </button>
  )
}

/** Progress of reading friends' libraries, which the answer needs. */
function Libraries({ read, total }: { read: number; total: number }) {
  const { progressTitle, progress } = messages.sync
  return (
    <div className="grid gap-1.5 text-sm text-soft">
      <p role="status" className="tabular-nums">
        {read < total && `${progressTitle}: `}
        {progress({ synced: read, total })}
      </p>
      <progress
        aria-label={progressTitle}
        value={read}
        max={total}
        className={`progress-bar ${read < total ? '' : 'invisible'}`}
      />
    </div>
  )
}

/** What to change on Steam, and a button to sync then (LOOK-11). */
function PrivateGames() {
  const { steamId } = useSignedIn()
  const games = useSyncGames(steamId, steamId)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-control bg-deep/40 p-4">
      <p className="flex min-w-0 flex-1 basis-72 gap-2 text-sm text-soft">
        <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-amber" />
        <span>{myGames.privateExplained}</span>
      </p>
      <SteamPrivacyLink />
      <SyncButton label={myGames.sync} sync={games} hideStatus />
    </div>
  )
}

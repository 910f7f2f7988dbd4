/**
 * Group detail (GPAGE-1): members, common games and settings of a group, reporting it (OPER-13), and correcting how many can
 * play a game (GPAGE-36).
 * Requirements: GPAGE-21, GPAGE-26, GPAGE-35.
 */
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Dices, UserPlus, UsersRound, Flag } from 'lucide-react'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import type { Group } from '#shared/entities.ts'
import { playTogether } from '../../data/common-games.ts'
import { groupsQueries } from '../../data/groups.ts'
import { isNotFound } from '../../data/http.ts'
import { useSurprise } from '../../data/nights.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { group as groupTexts, report as reportText, groups } from 'virtual:texts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { useSignedIn } from '../../session.ts'
import { Backdrop } from '../../ui/frames/backdrop.tsx'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { GameGridSkeleton } from '../../ui/games/game-grid-skeleton.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { Name } from '../../ui/people/name.tsx'
import { Notice, type Outcome, OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { AddedGames } from './added-games.tsx'
import { CommonGames } from './games-section.tsx'
import { Crew } from './crew.tsx'
import { SyncAndCompare, useCommonGames, useGroupSync } from './group-actions.tsx'
import { GameNightsCard } from './game-nights-card.tsx'
import { Deleted, JoinBanner, Left } from './joining.tsx'
import { ManageGroupCard } from './manage-group-card.tsx'
import { MembersCard, type MembershipState } from './members-card.tsx'
import { NearMisses } from './near-misses.tsx'
import { SetPictureCard } from './set-picture-card.tsx'
import { WantedGames } from './wanted-games.tsx'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'
import type { PlayersGame } from './players-dialog.tsx'

const texts = groupTexts

export function GroupDetailScreen() {
  const { groupId = '' } = useParams()
  // Not requested if it cannot be a group id.
  return /^[1-9]\d{0,9}$/.test(groupId) ? <GroupScreen groupId={Number(groupId)} /> : <Gone />
}

function GroupScreen({ groupId }: { groupId: number }) {
  const [membership, setMembership] = useState<MembershipState>('member')
  const query = useQuery({ ...groupsQueries.detail(groupId), enabled: membership === 'member' })

  // The name of a group that the user left, because its data is no longer available.
  const [name, setName] = useState('')

  function leave(group: Group, next: MembershipState) {
    setMembership(next)
    setName(group.name)
  }

  if (membership === 'left')
    return <Left groupId={groupId} name={name} onBack={() => setMembership('member')} />
  if (membership === 'gone') return <Deleted groupId={groupId} />
  if (isNotFound(query.error)) return <Gone />
  if (query.data) {
    const group = query.data
    return (
      <GroupPage group={group} isLeaving={membership === 'leaving'} onLeave={(next) => leave(group, next)} />
    )
  }
  return (
    <Screen title={texts.title} loading={query.isPending}>
      <Loaded query={query} failed={texts.failed} skeleton={<Loading groupId={groupId} />}>
        {() => null}
      </Loaded>
    </Screen>
  )
}

/** Prefetches what the page shows first while the group itself is loading. */
function Loading({ groupId }: { groupId: number }) {
  usePrefetchQuery(groupsQueries.sharedGames(groupId))
  usePrefetchQuery(groupsQueries.nearMisses(groupId))
  usePrefetchQuery(groupsQueries.members(groupId))
  return <GameGridSkeleton cards={3} />
}

function GroupPage({
  group,
  isLeaving,
  onLeave,
}: {
  group: Group
  isLeaving: boolean
  onLeave: (state: MembershipState) => void
}) {
  const { group_id: groupId, name } = group
  const members = useQuery({ ...groupsQueries.members(groupId), enabled: !isLeaving })
  const { steamId } = useSignedIn()
  const games = useCommonGames(groupId, !isLeaving)
  const nearMisses = useQuery({ ...groupsQueries.nearMisses(groupId), enabled: !isLeaving })
  const sync = useGroupSync(groupId, members.data)
  const players = usePlayersDialog(group)
  const [surprise, setSurprise] = useState<Outcome>()
  const [pictureFailure, clearPictureFailure] = usePictureFailure()

  const backdrop = useMemo(() => playTogether(games.query.data ?? []), [games.query.data])
  const search = useRef<HTMLInputElement>(null)
  // Below the first view: a slow phone paints the games before it.
  const hasFoot = useDeferredValue(!games.query.isPending, false)
  const isAlone = (members.data?.length ?? group.member_count) === 1

  // The group was loaded, but another member may have removed the user since.
  if (isNotFound(members.error) || isNotFound(games.query.error)) return <Gone />
  return (
    <Screen
      backdrop={<Backdrop seed={groupId} games={backdrop} />}
      isSlim
      title={
        <span className="flex min-h-12 min-w-0 items-center gap-3">
          <GroupPicture group={group} className="size-12 rounded-control text-base" />
          <Name className="min-w-0">{name}</Name>
        </span>
      }
      windowTitle={name}
      action={
        group.joined && (
          <div className="flex flex-wrap gap-2 max-sm:mt-2 max-sm:[&>button]:flex-auto max-sm:[&>button]:px-2 max-sm:[&>button]:whitespace-nowrap max-sm:[&>button>svg]:hidden">
            {!isAlone && <Surprise groupId={groupId} onOutcome={setSurprise} />}
            <StartNight startWith={{ group }} {...(!isAlone && { variant: 'primary' as const })} />
            {isAlone && (
              <Button
                variant="primary"
                className="whitespace-nowrap"
                icon={<UserPlus aria-hidden />}
                // Without friends to add it says what to do.
                onClick={() => (search.current ?? document.getElementById('add-member'))?.focus()}
              >
                {texts.addFriends}
              </Button>
            )}
          </div>
        )
      }
    >
      <OutcomeNotice outcome={surprise} />
      <JoinBanner group={group} onDeclined={() => onLeave('left')} />
      <Notice tone="error">
        {pictureFailure !== undefined && groups.createdWithoutPicture({ reason: pictureFailure })}
      </Notice>
      <div className="grid items-start gap-x-6 gap-y-4 xl:max-huge:grid-cols-[minmax(0,1fr)_20.5rem] 2xl:max-huge:grid-cols-[minmax(0,1fr)_23rem]">
        {/* Stays in view beside a long list of games; above one on the widest screens. */}
        <div className="grid min-w-0 gap-3 sm:gap-4 md:max-xl:grid-cols-2 xl:max-huge:sticky xl:max-huge:top-6 xl:max-huge:order-last huge:grid-cols-2">
          <GameNightsCard group={group} enabled={!isLeaving} />
          <Crew group={group} members={members} field={search} isFirstStep={isAlone} />
        </div>
        {/* Its least height keeps what follows out of the first view, where it would jump. */}
        <div className="grid min-h-[calc(100svh-7rem)] min-w-0 content-start gap-4">
          <CommonGames
            games={games}
            // Without them the common games are shown all the same.
            nearMisses={nearMisses.data ?? (nearMisses.failureCount > 0 ? [] : undefined)}
            members={members}
            sync={sync}
            onPlayers={players.onPlayers}
          />
          {games.query.isSuccess && (
            <NearMisses query={nearMisses} members={members.data ?? []} onPlayers={players.onPlayers} />
          )}
          {group.joined && games.query.isSuccess && (
            <WantedGames groupId={groupId} members={members.data ?? []} onMore={players.onPlayers} />
          )}
          {players.dialog}
        </div>
      </div>
      {hasFoot && (
        <div className="grid items-start gap-6 border-t border-line/60 pt-6 md:max-2xl:grid-cols-2 md:max-2xl:grid-rows-[auto_1fr] 2xl:grid-cols-3">
          <MembersCard group={group} members={members} onLeave={onLeave} />
          <div className="grid min-w-0 gap-6">
            <SyncAndCompare games={games} sync={sync} />
            {group.joined && <AddedGames group={group} />}
            <SetPictureCard groupId={groupId} onSet={clearPictureFailure} />
            {group.owner_steam_id !== steamId && <ReportGroup groupId={groupId} />}
          </div>
          <ManageGroupCard group={group} members={members.data ?? []} onLeave={onLeave} />
        </div>
      )}
    </Screen>
  )
}

/** Draws a game at once, and leads to its night. */
function Surprise({
  groupId,
  onOutcome,
}: {
  groupId: number
  onOutcome: (outcome: Outcome | undefined) => void
}) {
  const surprise = useSurprise()
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  async function press() {
    setBusy(true)
    onOutcome(undefined)
    try {
      const { night_id } = await surprise(groupId)
      await navigate(`/nights/${night_id}`)
    } catch (error) {
      onOutcome(failedOutcome(texts.surprise.failed, error))
    }
    setBusy(false)
  }
  return (
    <Button icon={<Dices aria-hidden />} busy={busy} title={texts.surprise.hint} onClick={() => void press()}>
      {texts.surprise.button}
    </Button>
  )
}

/**
 * Why the picture chosen on the Groups screen could not be uploaded, from the navigation state; shown once, not again
 * after a reload.
 */
function usePictureFailure(): [string | undefined, () => void] {
  const { state } = useLocation() as { state: { pictureFailure?: string } | null }
  const navigate = useNavigate()
  const [failure, setFailure] = useState(state?.pictureFailure)
  const isInHistory = state?.pictureFailure !== undefined
  useEffect(() => {
    if (isInHistory) void navigate('.', { replace: true, state: null })
  }, [isInHistory, navigate])
  return [failure, () => setFailure(undefined)]
}

/** The group does not exist, or the user is not a member; the server does not say which (ERR-9). */
function Gone() {
  return (
    <Screen title={texts.title}>
      <EmptyState
        icon={<UsersRound />}
        action={
          <ButtonLink variant="primary" to="/groups">
            {texts.back}
          </ButtonLink>
        }
      >
        {texts.gone}
      </EmptyState>
    </Screen>
  )
}

function ReportGroup({ groupId }: { groupId: number }) {
  const { open, dialog } = useLazyDialog(
    async () => (await import('./report-group-dialog.tsx')).ReportGroupDialog,
    { groupId },
  )
  return (
    <div className="grid justify-items-start">
      <Button variant="quiet" icon={<Flag aria-hidden />} aria-haspopup="dialog" onClick={open}>
        {reportText.button}
      </Button>
      {dialog}
    </div>
  )
}

const load = async () => (await import('./players-dialog.tsx')).PlayersDialog
const none: PlayersGame = { appid: 0, name: '' }

/** `onPlayers` opens the dialog of a game; undefined for members who may not correct it. */
function usePlayersDialog({ group_id: groupId, joined }: Group): {
  onPlayers: ((game: PlayersGame) => void) | undefined
  dialog: ReactNode
} {
  const [game, setGame] = useState(none)
  const { open, dialog } = useLazyDialog(load, { groupId, game })
  const onPlayers = (chosen: PlayersGame) => {
    setGame(chosen)
    open()
  }
  return { onPlayers: joined ? onPlayers : undefined, dialog }
}

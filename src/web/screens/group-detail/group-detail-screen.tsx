/**
 * Group detail (GPAGE-1): members, common games and settings of a group.
 * Requirements: GPAGE-21, GPAGE-35.
 */
import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import type { Group } from '#shared/entities.ts'
import { playTogether } from '../../data/common-games.ts'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { isNotFound } from '../../data/http.ts'
import { refetchForNews } from '../../data/night-lists.ts'
import { messages } from '../../messages.ts'
import { group as groupTexts } from '../../more-messages.ts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { useSignedIn } from '../../session.ts'
import { Backdrop } from '../../ui/backdrop.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GameGridSkeleton } from '../../ui/game-grid-skeleton.tsx'
import { GroupPicture } from '../../ui/group-picture.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { MemberAvatars } from '../../layout/member-avatars.tsx'
import { Name } from '../../ui/name.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { AddMemberCard } from './add-member-card.tsx'
import { CommonGames } from './games-section.tsx'
import { CompareButton, GroupSync, useCommonGames, useGroupSync } from './group-actions.tsx'
import { GameNightsCard } from './game-nights-card.tsx'
import { Deleted, JoinBanner, Left } from './joining.tsx'
import { ManageGroupCard } from './manage-group-card.tsx'
import { MembersCard, type MembershipState } from './members-card.tsx'
import { NearMisses } from './near-misses.tsx'
import { OverlapMatrix } from './overlap-matrix.tsx'
import { anchors, PageLinks } from './page-links.tsx'
import { ReportGroup } from './report-button.tsx'
import { SetPictureCard } from './set-picture-card.tsx'
import { usePlayersDialog } from './use-players-dialog.ts'

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
  const members = useQuery({
    ...groupsQueries.members(groupId),
    enabled: !isLeaving,
    ...refetchForNews,
  })
  const { steamId } = useSignedIn()
  const friends = useQuery(friendsQueries.stored(steamId))
  const games = useCommonGames(groupId, !isLeaving)
  const nearMisses = useQuery({
    ...groupsQueries.nearMisses(groupId),
    enabled: games.query.isSuccess && !isLeaving,
  })
  const sync = useGroupSync(groupId, members.data)
  const players = usePlayersDialog(group)
  const [pictureFailure, clearPictureFailure] = usePictureFailure()

  const together = useMemo(() => playTogether(games.query.data ?? []), [games.query.data])

  // The group was loaded, but another member may have removed the user since.
  if (isNotFound(members.error) || isNotFound(games.query.error)) return <Gone />
  return (
    <Screen
      backdrop={<Backdrop seed={groupId} games={together} />}
      title={
        <span className="flex min-w-0 items-start gap-4">
          <GroupPicture group={group} className="size-16 rounded-card text-xl md:size-20" />
          {/* The room below the name is for the number of members. */}
          <span className="min-w-0 pb-9">
            <Name className="line-clamp-3 min-w-0">{name}</Name>
          </span>
        </span>
      }
      windowTitle={name}
      lead={
        <a
          href={`#${anchors.members}`}
          className="relative -mt-12 ml-20 flex min-h-11 w-fit items-center underline-offset-4 hover:underline md:ml-24"
        >
          {messages.groups.members({ count: members.data?.length ?? group.member_count })}
        </a>
      }
      action={
        <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
          {/* Of one width, so that the banner has the same layout in every group. */}
          <MemberAvatars
            members={members.data}
            count={members.data?.length ?? group.member_count}
            friends={friends.data?.friends}
            marksWaiting
            className="min-h-11 w-60 max-w-full"
          />
          {/* On a phone side by side without icons, so that the games begin in the first view; not in the dialog of a button. */}
          <div className="flex flex-wrap items-end gap-3 max-sm:grid max-sm:w-full max-sm:grid-cols-2 max-sm:gap-2 max-sm:items-stretch max-sm:[&_button:not(dialog_*)]:size-full max-sm:[&_button:not(dialog_*)]:px-1 max-sm:[&_button:not(dialog_*)]:text-[0.8125rem] max-sm:[&_button:not(dialog_*)]:leading-tight max-sm:[&_svg:not(dialog_*)]:hidden">
            <GroupSync sync={sync} />
            <CompareButton games={games} />
            {/* The next step: the games are there already. */}
            {group.joined && (
              <StartNight startWith={{ group }} variant="primary" className="max-sm:col-span-2" />
            )}
          </div>
        </div>
      }
    >
      <div className="-my-3 grid">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <PageLinks isOwner={group.owner_steam_id === steamId} />
          <div className="flex max-sm:basis-full">
            <GroupSync.State />
          </div>
        </div>
        <GroupSync.Result sync={sync} />
      </div>
      <JoinBanner group={group} onDeclined={() => onLeave('left')} />
      <Notice tone="error">
        {pictureFailure !== undefined && messages.groups.createdWithoutPicture({ reason: pictureFailure })}
      </Notice>
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20.5rem] 2xl:grid-cols-[minmax(0,1fr)_23rem]">
        {/* Below xl the cards follow the games. The least height keeps them out of the first view, where they would jump. */}
        <div className="grid min-w-0 content-start gap-8 max-xl:min-h-[calc(100svh-20rem)]">
          <CommonGames games={games} members={members} sync={sync} onPlayers={players.onPlayers} />
          <NearMisses query={nearMisses} members={members.data ?? []} onPlayers={players.onPlayers} />
          {players.dialog}
          {/* Not before what stands above it, which would push it down. */}
          {!isLeaving && (hasResponse(nearMisses) || games.query.errorUpdateCount > 0) && (
            <OverlapMatrix groupId={groupId} members={members.data ?? []} />
          )}
        </div>
        <div className="grid min-w-0 gap-6 md:max-xl:grid-cols-2">
          <GameNightsCard group={group} enabled={!isLeaving} />
          <MembersCard group={group} members={members} onLeave={onLeave} />
          <AddMemberCard group={group} members={members} />
          <SetPictureCard groupId={groupId} onSet={clearPictureFailure} />
          <ManageGroupCard group={group} members={members.data ?? []} onLeave={onLeave} />
          {group.owner_steam_id !== steamId && <ReportGroup groupId={groupId} />}
        </div>
      </div>
    </Screen>
  )
}

const hasResponse = ({ data, errorUpdateCount }: { data: unknown; errorUpdateCount: number }) =>
  data !== undefined || errorUpdateCount > 0

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

/** Top Common Games: what all members of a group own, the dashboard's biggest card (DASH-25). */
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, ChevronLeft, ChevronRight, Gamepad2, Users } from 'lucide-react'
import { useState } from 'react'
import type { Group, GroupMember, SharedGame } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { groupsQueries } from '../../data/groups.ts'
import { isPlayableTogether } from '#shared/playable.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { GroupPicture } from '../../ui/group-picture.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { Skeleton } from '../../ui/skeletons.tsx'
import { isCounted, memberHours, missingMembers } from '../../data/common-games.ts'
import { indexWithin, neighbour } from './groups-shown.ts'
import { listOr, Nothing } from './nothing.tsx'

const texts = messages.dashboard

/** Rows of games; the group's page has all of them. */
const GAMES_SHOWN = 6
/** Members beside a game, and members who are missing; a group has up to a hundred. */
const MEMBERS_SHOWN = 5
const MISSING_SHOWN = 3

/** The card. `onCreate` starts the wizard, for whoever has no group yet. */
export function CommonGamesCard({ onCreate, className }: { onCreate: () => void; className?: string }) {
  const { steamId } = useSignedIn()
  const query = useQuery(groupsQueries.list(steamId))
  const groups = listOr(query, (list) => list)
  const [chosenIndex, setChosenIndex] = useState(0)
  const count = groups?.length ?? 0
  const index = indexWithin(chosenIndex, count)
  const group = groups?.[index]
  // DASH-29: for good, so that a list that grows again does not bring the old place back.
  if (groups !== undefined && index !== chosenIndex) setChosenIndex(index)

  return (
    <Card
      title={texts.topCommonGames}
      className={className}
      action={
        <div className="flex items-center gap-1">
          {count > 1 && (
            <span className="px-1 text-sm whitespace-nowrap text-soft tabular-nums max-sm:sr-only">
              {texts.groupPosition(index + 1, count)}
            </span>
          )}
          <IconButton
            label={texts.previousGroup}
            disabled={count < 2}
            onClick={() => setChosenIndex(neighbour(index, -1, count))}
          >
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton
            label={texts.nextGroup}
            disabled={count < 2}
            onClick={() => setChosenIndex(neighbour(index, 1, count))}
          >
            <ChevronRight aria-hidden />
          </IconButton>
        </div>
      }
    >
      {group ? (
        // What was chosen in one group says nothing about the next.
        <GroupGames key={group.group_id} group={group} />
      ) : groups ? (
        // Before the first group the card shows what it is going to look like, as large as it was while it loaded.
        <div className="relative grid flex-1">
          <div aria-hidden className="grid mask-b-from-40% opacity-70 max-md:max-h-96 max-md:overflow-hidden">
            <GamesShape Block={Still} />
          </div>
          <div className="absolute inset-0 grid place-items-center">
            <div className="grid rounded-control bg-surface shadow-card">
              <Nothing
                query={query}
                icon={<Gamepad2 />}
                action={
                  <Button icon={<Users aria-hidden />} onClick={onCreate}>
                    {texts.startGroup}
                  </Button>
                }
              >
                {texts.commonEmpty}
              </Nothing>
            </div>
          </div>
        </div>
      ) : (
        <>
          <div aria-hidden className="flex min-h-12 items-center gap-3">
            <Skeleton className="size-12 rounded-control" />
            <Skeleton className="h-5 w-2/5" />
          </div>
          <GamesSkeleton />
          <Skeleton className="h-11 rounded-control" />
        </>
      )}
    </Card>
  )
}

function GroupGames({ group }: { group: Group }) {
  const query = useQuery(groupsQueries.sharedGames(group.group_id))
  const all = listOr(query, (games) => games)
  // A failed load of members is an empty list too (DASH-33); ids then stand for names.
  const members = useQuery(groupsQueries.members(group.group_id)).data ?? []
  const [onlyTogether, setOnlyTogether] = useState(false)
  const [selectedAppid, setSelectedAppid] = useState<number>()
  const games = (onlyTogether ? all?.filter(isPlayableTogether) : all)?.slice(0, GAMES_SHOWN)
  const selected = games?.find(({ appid }) => appid === selectedAppid) ?? games?.[0]

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 items-center gap-3">
          <GroupPicture group={group} className="size-12 rounded-control" />
          <div className="min-w-0">
            <h3 aria-live="polite" className="min-w-0 font-semibold">
              <Name className="line-clamp-1">{group.name}</Name>
            </h3>
            {typeof group.member_count === 'number' && (
              <p className="text-sm text-soft tabular-nums">{messages.groups.members(group.member_count)}</p>
            )}
          </div>
        </div>
        <button
          type="button"
          aria-pressed={onlyTogether}
          onClick={() => setOnlyTogether(!onlyTogether)}
          className="min-h-11 rounded-round border border-edge/45 px-4 text-sm font-medium text-soft transition hover:border-edge hover:text-ink aria-pressed:border-violet aria-pressed:bg-violet-deep/40 aria-pressed:text-ink"
        >
          {texts.together}
        </button>
      </div>

      {games === undefined ? (
        <GamesSkeleton />
      ) : selected === undefined ? (
        <Nothing query={query} icon={<Gamepad2 />}>
          {onlyTogether && all?.length !== 0 ? texts.togetherNone : texts.commonNone}
        </Nothing>
      ) : (
        <div className="grid flex-1 content-start gap-5 md:grid-cols-2">
          <Details game={selected} members={members} />
          <ul aria-label={messages.group.commonGames} className="grid content-start gap-1">
            {games.map((game) => (
              <li key={game.appid}>
                <button
                  type="button"
                  aria-pressed={game === selected}
                  onClick={() => setSelectedAppid(game.appid)}
                  className="flex min-h-15 w-full min-w-0 items-center gap-3.5 rounded-control border border-transparent p-2 text-left transition hover:bg-raised/60 aria-pressed:border-violet/60 aria-pressed:bg-violet-deep/40"
                >
                  <GameArt game={game} className="w-22 rounded-chip" />
                  <span className="grid min-w-0 flex-1">
                    <Name className="line-clamp-1 font-medium">{game.name}</Name>
                    <span className="text-sm text-soft tabular-nums">
                      {texts.hours(roundedHours(game.total_playtime))}
                    </span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}

      <Missing members={members} />
      <ButtonLink to={`/groups/${group.group_id}`} icon={<ArrowRight aria-hidden />}>
        {texts.viewGroupDetails}
      </ButtonLink>
    </>
  )
}

/** The chosen game, large, with what each member played of it. */
function Details({ game, members }: { game: SharedGame; members: readonly GroupMember[] }) {
  const hours = memberHours(game, members)
  const most = Math.max(1, hours[0]?.minutes ?? 0)
  return (
    <article className="grid min-w-0 content-start gap-3">
      <GameArt game={game} className="rounded-control shadow-card" />
      <div>
        <h4 className="text-xl leading-snug font-bold tracking-tight">
          <Name className="line-clamp-2">{game.name}</Name>
        </h4>
        <p className="text-sm text-soft tabular-nums">
          {texts.hoursTogether(roundedHours(game.total_playtime))}
        </p>
      </div>
      <ul className="grid gap-2">
        {hours.slice(0, MEMBERS_SHOWN).map(({ steamId, member, minutes }) => (
          <li key={steamId} className="flex min-w-0 items-center gap-3 text-sm">
            <Avatar src={member?.avatar_url} size="small" />
            <span className="grid min-w-0 flex-1 gap-1">
              <span className="flex min-w-0 justify-between gap-3">
                <Name className="line-clamp-1 min-w-0">{member ? nameOf(member) : steamId}</Name>
                <span className="font-semibold whitespace-nowrap tabular-nums">
                  {texts.hours(roundedHours(minutes))}
                </span>
              </span>
              <span aria-hidden className="h-1 rounded-round bg-raised">
                <i
                  className="block h-full rounded-round bg-violet"
                  style={{ width: `${(minutes / most) * 100}%` }}
                />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {hours.length > MEMBERS_SHOWN && (
        <p className="text-sm text-soft">{texts.moreMembers(hours.length - MEMBERS_SHOWN)}</p>
      )}
    </article>
  )
}

/** Who could not be counted, and why (GPAGE-19). */
function Missing({ members }: { members: readonly GroupMember[] }) {
  const { steamId: me } = useSignedIn()
  const missing = missingMembers(members, me).filter(({ member }) => !isCounted(member, me))
  if (missing.length === 0) return null
  return (
    <div className="text-sm text-soft">
      <p className="sr-only">{texts.missingLead}</p>
      <ul className="grid gap-1">
        {missing.slice(0, MISSING_SHOWN).map(({ member, reason }) => (
          <li key={member.steam_id} className="flex min-w-0 gap-2">
            <span aria-hidden className="mt-2 size-1.5 shrink-0 rounded-round bg-amber" />
            <span className="min-w-0">
              <Name className="font-medium text-ink">{nameOf(member)}</Name> {texts.missing[reason]}
            </span>
          </li>
        ))}
      </ul>
      {missing.length > MISSING_SHOWN && <p>{texts.moreMembers(missing.length - MISSING_SHOWN)}</p>}
    </div>
  )
}

const GamesSkeleton = () => <GamesShape Block={Skeleton} />

function Still({ className = '' }: { className?: string }) {
  return <div className={`rounded-chip bg-raised ${className}`} />
}

/** The chosen game beside the list of games, in blocks. */
function GamesShape({ Block }: { Block: typeof Skeleton }) {
  return (
    <div aria-hidden className="grid flex-1 content-start gap-5 md:grid-cols-2">
      <div className="grid content-start gap-3">
        <Block className="aspect-[460/215] rounded-control" />
        <Block className="h-7 w-3/5" />
        <Block className="h-5 w-2/5" />
        {Array.from({ length: 3 }, (_, row) => (
          <div key={row} className="flex items-center gap-3">
            <Block className="size-9 rounded-round" />
            <Block className="h-5 flex-1" />
          </div>
        ))}
      </div>
      <div className="grid content-start gap-1">
        {Array.from({ length: GAMES_SHOWN }, (_, row) => (
          <div key={row} className="flex min-h-15 items-center gap-3.5 p-2">
            <Block className="aspect-[460/215] w-22" />
            <Block className="h-4 flex-1" />
          </div>
        ))}
      </div>
    </div>
  )
}

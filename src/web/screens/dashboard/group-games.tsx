/**
 * The games of the group that Top Common Games shows: the selected one with its hours beside the list (DASH-25).
 * Requirements: DASH-37.
 */
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Gamepad2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Group, GroupMember } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import {
  countedOf,
  fittingFirst,
  isCounted,
  memberHours,
  missingMembers,
  playTogether,
  type TogetherGame,
  useGamesShown,
} from '../../data/common-games.ts'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries, useSharedGames } from '../../data/groups.ts'
import { messages, dashboard as texts, group as groupTexts, gameView, groups, library } from 'virtual:texts'
import { playersText } from '../../format.ts'
import { useSignedIn } from '../../session.ts'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { whyOthersDiffer } from '../../ui/people/people.ts'
import { Avatar, presenceOf } from '../../ui/people/avatar.tsx'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { Name, nameOf, PersonLink } from '../../ui/people/name.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { CardEmptyState, rowsOrEmpty } from './card-empty-state.tsx'

const shownTexts = groupTexts.shown

/** Games shown; the group's page has all of them. */
const GAMES_SHOWN = 6
/** Further ones, for which the widest screens have room. */
const GAMES_MORE = 2
/** Members shown beside a game, of up to a hundred: one more in the place of 'and 1 more'. */
const MEMBERS_SHOWN = 5
/** Missing members shown. */
const MISSING_SHOWN = 3

/**
 * The group and its games.
 * @param isAnswer it was just made here: the focus moves to it, because the form that had it is gone
 */
export function GroupGames({ group, isAnswer }: { group: Group; isAnswer: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isAnswer) return
    heading.current?.focus({ preventScroll: true })
    const card = heading.current?.closest('section')
    if (!card) return
    // 'nearest' leaves a card that is taller than the window where it is, with its head above the window.
    const isHeadHidden = card.getBoundingClientRect().top < parseFloat(getComputedStyle(card).scrollMarginTop)
    card.scrollIntoView({ block: isHeadHidden ? 'start' : 'nearest' })
  }, [isAnswer])
  const query = useSharedGames(group.group_id)
  const nearMisses = useQuery(groupsQueries.nearMisses(group.group_id))
  // One list, which does not change when the second answer comes.
  const isKnown = !nearMisses.isPending || nearMisses.failureCount > 0
  const all = isKnown ? rowsOrEmpty(query, (games) => games) : undefined
  // A failed load of members counts as an empty list (DASH-33); ids are then shown instead of names.
  const members = useQuery(groupsQueries.members(group.group_id)).data ?? []
  // The choice of the group's page; without a game to play together, all of them (DASH-37).
  const [chosen] = useGamesShown()
  const together = useMemo(() => playTogether(all ?? [], nearMisses.data), [all, nearMisses.data])
  const [selectedAppid, setSelectedAppid] = useState<number>()
  const isTogether = chosen === 'together' && together.length > 0
  const listed = useMemo(
    () => fittingFirst<TogetherGame>(isTogether ? together : (all ?? [])),
    [isTogether, together, all],
  )
  const games: readonly TogetherGame[] | undefined = all && listed.slice(0, GAMES_SHOWN + GAMES_MORE)
  const selected = games?.find(({ appid }) => appid === selectedAppid) ?? games?.[0]

  return (
    <>
      {/* Of one height, whatever comes. */}
      <div className="flex min-h-16 items-start gap-3">
        <GroupPicture group={group} className="mt-1 size-14 rounded-control" />
        <div className="min-w-0">
          <h3
            ref={heading}
            tabIndex={-1}
            aria-live="polite"
            className="min-w-0 font-semibold focus-visible:outline-none"
          >
            {/* As tall as a finger needs, in the room of its line. */}
            <Link
              to={`/groups/${group.group_id}`}
              className="-my-2.5 flex min-h-11 items-center underline-offset-4 hover:underline"
            >
              <Name className="line-clamp-1">{group.name}</Name>
            </Link>
          </h3>
          <p className="line-clamp-1 text-sm text-soft tabular-nums max-xl:text-xs max-xl:leading-5">
            {all !== undefined &&
              (isTogether
                ? shownTexts.together({ games: together.length })
                : shownTexts.all({ games: all.length }))}
            <Counted group={group} members={members} />
          </p>
          <Online group={group} members={members} />
        </div>
      </div>

      {games === undefined ? (
        <GamesSkeleton />
      ) : selected === undefined ? (
        <CardEmptyState query={query} icon={<Gamepad2 />}>
          {groupTexts.empty}
        </CardEmptyState>
      ) : (
        <div className="grid flex-1 content-start gap-5 md:grid-cols-2">
          <Details game={selected} members={members} />
          <ul aria-label={groupTexts.commonGames} className="grid content-start gap-1">
            {games.map((game, nth) => (
              <li key={game.appid} className={`@container ${nth < GAMES_SHOWN ? '' : 'max-vast:hidden'}`}>
                <button
                  type="button"
                  aria-pressed={game === selected}
                  onClick={() => setSelectedAppid(game.appid)}
                  className="flex min-h-15 w-full min-w-0 items-center gap-3.5 rounded-control border border-transparent p-2 text-left transition hover:bg-raised/60 aria-pressed:border-violet/60 aria-pressed:bg-violet-deep/40"
                >
                  {/* The name comes first where there is no room for both. */}
                  <GameArt game={game} className="w-22 rounded-chip @max-[13rem]:hidden" />
                  <span className="grid min-w-0 flex-1">
                    <Name className="line-clamp-2 leading-snug font-medium">{game.name}</Name>
                    <span className="text-sm text-soft tabular-nums">
                      {game.link
                        ? groupTexts.notOnSteam
                        : gameView.hours({ hours: roundedHours(game.total_playtime) })}
                      {typeof game.players_max === 'number' && ` · ${playersText(game.players_max)}`}
                      {game.lacking && ` · ${groupTexts.free}`}
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

/** On how many members the number of games rests. */
function Counted({ group, members }: { group: Group; members: readonly GroupMember[] }) {
  const base = countedOf(members, useSignedIn().steamId)
  const why = whyOthersDiffer(base)
  if (why !== '')
    return (
      <span className={base.counted < base.all ? 'text-amber' : ''}>
        {' · '}
        {groupTexts.counted(base)}
        {/* A phone has no room for it; the group's page says it, too. */}
        <span className="max-sm:hidden">, {why}</span>
      </span>
    )
  return typeof group.member_count === 'number' && ` · ${groups.members({ count: group.member_count })}`
}

/** Who of the group is online, with one press to ask them. */
function Online({ group, members }: { group: Group; members: readonly GroupMember[] }) {
  const friends = useQuery(friendsQueries.stored(useSignedIn().steamId)).data?.friends ?? []
  const ids = new Set(members.map(({ steam_id }) => steam_id))
  const there = friends.filter(
    (friend) => ids.has(friend.steam_id) && ['online', 'playing'].includes(presenceOf(friend)),
  )
  if (there.length === 0) return null
  return (
    <div className="flex min-h-5 flex-wrap items-center gap-x-1 text-sm">
      <span className="text-mint">{texts.crewOnline({ count: there.length })}</span>
      <StartNight
        startWith={{ group, asked: there.map(({ steam_id }) => steam_id) }}
        variant="quiet"
        label={texts.askThem}
        className="-my-3 px-2! text-mint! underline underline-offset-4 [&_svg]:hidden"
      />
    </div>
  )
}

/** The selected game, large, with each member's hours. */
function Details({ game, members }: { game: TogetherGame; members: readonly GroupMember[] }) {
  const hours = game.link ? [] : memberHours(game, members)
  const most = Math.max(1, hours[0]?.minutes ?? 0)
  const shown = hours.length === MEMBERS_SHOWN + 1 ? hours : hours.slice(0, MEMBERS_SHOWN)
  return (
    <article className="grid min-w-0 content-start gap-3">
      <Link
        to={`/games/${game.appid}`}
        className="grid min-w-0 gap-3 rounded-control transition hover:brightness-110"
      >
        <GameArt game={game} className="rounded-control shadow-card" isFirst />
        <h4 className="text-xl leading-snug font-bold tracking-tight">
          <Name className="line-clamp-2">{game.name}</Name>
        </h4>
      </Link>
      <p className="-mt-3 text-sm text-soft tabular-nums">
        {game.link
          ? groupTexts.notOnSteam
          : gameView.totalHours({ hours: roundedHours(game.total_playtime) })}
      </p>
      <ul className="grid">
        {shown.map(({ steamId, member, minutes }) => (
          <li key={steamId}>
            <PersonLink
              steamId={steamId}
              className="flex min-h-11 min-w-0 items-center gap-3 rounded-control text-sm transition hover:bg-raised/60"
            >
              <Avatar src={member?.avatar_url} size="small" />
              <span className="grid min-w-0 flex-1 gap-1">
                <span className="flex min-w-0 justify-between gap-3">
                  <Name className="line-clamp-1 min-w-0">{member ? nameOf(member) : steamId}</Name>
                  <span className="font-semibold whitespace-nowrap tabular-nums">
                    {minutes === undefined
                      ? groupTexts.free
                      : gameView.hours({ hours: roundedHours(minutes) })}
                  </span>
                </span>
                <span aria-hidden className="forced-color-adjust-none h-1 rounded-round bg-raised">
                  <i
                    className="block h-full rounded-round bg-violet"
                    style={{ width: `${((minutes ?? 0) / most) * 100}%` }}
                  />
                </span>
              </span>
            </PersonLink>
          </li>
        ))}
      </ul>
      {hours.length > shown.length && (
        <p className="text-sm text-soft">{messages.andMore({ count: hours.length - shown.length })}</p>
      )}
    </article>
  )
}

/** Members who are not counted, and why (GPAGE-19). */
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
            <span
              aria-hidden
              className="forced-color-adjust-none mt-2 size-1.5 shrink-0 rounded-round bg-amber"
            />
            <span className="min-w-0">
              <Sentence
                text={library.theirs[reason]}
                values={{ name: <Name className="font-medium text-ink">{nameOf(member)}</Name> }}
              />
            </span>
          </li>
        ))}
      </ul>
      {missing.length > MISSING_SHOWN && <p>{messages.andMore({ count: missing.length - MISSING_SHOWN })}</p>}
    </div>
  )
}

export const GamesSkeleton = () => <GamesPlaceholder Block={Skeleton} />

/** The layout of a group's games where there is no group yet. */
export const GamesPreview = () => <GamesPlaceholder Block={StaticBlock} />

function StaticBlock({ className = '' }: { className?: string }) {
  return <div className={`rounded-chip bg-raised ${className}`} />
}

/** The layout of the selected game beside the list of games. */
function GamesPlaceholder({ Block }: { Block: typeof Skeleton }) {
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

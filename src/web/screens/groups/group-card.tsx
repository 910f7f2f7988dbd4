/** A group's card, which leads to its page (GLIST-14). */
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, type RefObject, useEffect, useState } from 'react'
import type { Group, SharedGame } from '#shared/entities.ts'
import { countedOf, playTogether } from '../../data/common-games.ts'
import { friendsQueries } from '../../data/friends.ts'
import { groupsQueries } from '../../data/groups.ts'
import { groups as texts, group as groupTexts, invitation } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { MemberAvatars } from '../../layout/member-avatars.tsx'
import { Name } from '../../ui/people/name.tsx'

const ART_SHOWN = 4

/**
 * Picture, name, members and the number of common games. Members and games of up to 500 groups are loaded only for the
 * cards in view; they are the data of the group's page, which then opens at once.
 */
export function GroupCard({ group }: { group: Group }) {
  const heading = useId()
  const card = useRef<HTMLLIElement>(null)
  const enabled = useWasInView(card)
  const members = useQuery({ ...groupsQueries.members(group.group_id), enabled }).data
  const games = useQuery({ ...groupsQueries.sharedGames(group.group_id), enabled }).data
  const { steamId: me } = useSignedIn()
  const friends = useQuery(friendsQueries.stored(me)).data?.friends
  const base = members && countedOf(members, me)

  return (
    <li
      ref={card}
      className="frosted relative flex min-w-0 flex-col overflow-hidden rounded-card transition hover:border-edge/70 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-mint"
    >
      <Picture group={group} games={games ?? []} />
      <div className="flex flex-1 flex-col gap-3 p-4">
        <div className="min-w-0 flex-1">
          <h2 id={heading} className="text-lg font-semibold tracking-tight" title={group.name}>
            <Name className="line-clamp-2">{group.name}</Name>
          </h2>
          {/* Two lines' room: what comes late may take the second, and must move nothing. */}
          <p className="min-h-10 text-sm text-soft tabular-nums">
            {group.member_count !== undefined && <span>{texts.members({ count: group.member_count })}</span>}
            {group.member_count !== undefined && games && ' · '}
            {games && <span>{texts.inCommon({ games: games.length })}</span>}
            {/* A number of fewer than all says so. */}
            {games && base && base.counted < base.all && (
              <span className="text-amber"> · {groupTexts.counted(base)}</span>
            )}
          </p>
          {group.joined === false && <p className="text-sm text-violet">{invitation.notJoined}</p>}
        </div>
        <MemberAvatars members={members} friends={friends} />
        {/* Described by the group's name, because all links read 'View Group'. The whole card is its target. */}
        <ButtonLink
          to={`/groups/${group.group_id}`}
          aria-describedby={heading}
          // Not smaller while pressed: that would take its target away from the card.
          className="after:absolute after:inset-0 focus-visible:outline-none active:scale-none!"
        >
          {texts.view}
        </ButtonLink>
      </div>
    </li>
  )
}

/** The group's own picture, or else the art of its first games, or its initials. */
function Picture({ group, games }: { group: Group; games: readonly SharedGame[] }) {
  const art = group.picture_image_url ? [] : playTogether(games).slice(0, ART_SHOWN)
  if (art.length === 0) return <GroupPicture group={group} className="aspect-[16/9] w-full text-4xl" />
  return (
    <div
      aria-hidden
      className={`grid aspect-[16/9] shrink-0 gap-0.5 bg-ground ${art.length > 1 ? 'grid-cols-2' : ''} ${art.length > 2 ? 'grid-rows-2' : ''}`}
    >
      {art.map((game, nth) => (
        // The first of three stands beside the other two.
        <GameArt
          key={game.appid}
          game={game}
          className={`aspect-auto! ${art.length === 3 && nth === 0 ? 'row-span-2' : ''}`}
        />
      ))}
    </div>
  )
}

/** How far below the window the data of cards is loaded. */
const LOADED_BELOW = '300px'

/** Whether an element is or was in view. */
function useWasInView(element: RefObject<Element | null>): boolean {
  const [wasInView, setInView] = useState(false)
  useEffect(() => {
    if (wasInView || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: LOADED_BELOW },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [wasInView, element])
  return wasInView
}

/** Who is in a group, a line each, and Add Member (GPAGE-26). */
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { hasJoined } from '../../data/common-games.ts'
import { friendsQueries } from '../../data/friends.ts'
import { MemberAvatars } from '../../layout/member-avatars.tsx'
import { messages, group as texts, groups } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Avatar, presenceOf, presenceText } from '../../ui/people/avatar.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { AddMember } from './add-member.tsx'

/** Members with a line of their own; the list at the foot of the page has all. */
const LINES = 8

export function Crew({ group, members, field, isFirstStep }: ComponentProps<typeof AddMember>) {
  const friends = useQuery(friendsQueries.stored(useSignedIn().steamId)).data?.friends
  const count = members.data?.length ?? group.member_count
  const presence = new Map(friends?.map((friend) => [friend.steam_id, friend]))
  return (
    <Card
      isSlim
      className={isFirstStep ? 'order-first' : ''}
      title={groups.members({ count })}
      action={
        <MemberAvatars
          members={members.data}
          count={count}
          friends={friends}
          marksWaiting
          className="xl:max-huge:hidden"
        />
      }
    >
      <ul
        className="hidden text-sm xl:max-huge:grid"
        style={{ minHeight: `${Math.min(count, LINES) * 2}rem` }}
      >
        {members.data?.slice(0, LINES).map((member) => {
          const friend = presence.get(member.steam_id)
          return (
            <li key={member.steam_id} className="flex h-8 min-w-0 items-center gap-3 pl-0.5">
              <Avatar src={member.avatar_url} size="tiny" presence={friend && presenceOf(friend)} />
              <Name className="min-w-0 truncate">{nameOf(member)}</Name>
              {member.steam_id === group.owner_steam_id && (
                <span className="shrink-0 text-mint">{texts.owner}</span>
              )}
              {friend && <span className="sr-only">{presenceText(friend)}</span>}
              {!hasJoined(member) && <span className="shrink-0 text-xs text-violet">{texts.notJoined}</span>}
            </li>
          )
        })}
      </ul>
      {count > LINES && (
        <p className="hidden text-sm text-soft xl:max-huge:block">
          {messages.andMore({ count: count - LINES })}
        </p>
      )}
      <section aria-labelledby="add-member" className="grid min-w-0 gap-2 pb-1 xl:max-huge:pt-3">
        <h3 id="add-member" tabIndex={-1} className="text-sm font-medium text-soft max-md:sr-only">
          {texts.addMember}
        </h3>
        <AddMember group={group} members={members} field={field} isFirstStep={isFirstStep} />
      </section>
    </Card>
  )
}

/** My groups whose members all own a game (GAME-4). */
import { useId } from 'react'
import { Link } from 'react-router'
import type { GamePage } from '#shared/entities.ts'
import { messages } from '../../messages.ts'
import { gamePage as text } from '../../more-messages.ts'
import { GroupPicture } from '../../ui/group-picture.tsx'
import { Name } from '../../ui/name.tsx'

export function GameGroups({ game: { groups, more_groups } }: { game: GamePage }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="grid min-w-0 gap-4">
      <h2 id={heading} className="text-xl font-semibold tracking-tight">
        {text.groups}
      </h2>
      {groups.length === 0 ? (
        <p className="text-sm text-soft">{text.noGroups}</p>
      ) : (
        <ul aria-labelledby={heading} className="grid gap-2.5">
          {groups.map((group) => (
            <li key={group.group_id} className="min-w-0">
              <Link
                to={`/groups/${group.group_id}`}
                className="flex min-h-16 min-w-0 items-center gap-3.5 rounded-control border border-line/70 bg-surface/85 p-3 transition hover:border-edge/70 hover:bg-raised/70"
              >
                <GroupPicture group={group} className="size-11 rounded-control text-sm" />
                <span className="grid min-w-0">
                  <Name className="line-clamp-1 font-semibold">{group.name}</Name>{' '}
                  <span className="text-sm text-soft tabular-nums">
                    {messages.groups.members({ count: group.member_count })}
                    {group.counted < group.member_count &&
                      ` · ${text.counted({ counted: group.counted, members: group.member_count })}`}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {more_groups && <p className="text-sm text-soft">{text.moreGroups}</p>}
    </section>
  )
}

/** What a row says of a person who can be chosen (PAGE-20). */
import { Lock } from 'lucide-react'
import type { Friend } from '#shared/entities.ts'
import { friendSearch, friends } from 'virtual:texts'
import { Avatar, presenceOf } from './avatar.tsx'
import { Name, nameOf } from './name.tsx'
import { Sentence } from '../words/sentence.tsx'

const text = friendSearch

/** Avatar with presence, name, the game being played, and a lock where the library cannot be seen. */
export function PeopleRow({ friend }: { friend: Friend }) {
  const { library_status: library } = friend
  return (
    <>
      <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
      <span className="grid min-w-0 flex-1">
        <Name className="line-clamp-1">{nameOf(friend)}</Name>
        {friend.playing !== null && (
          <span className="flex min-w-0 gap-1 text-xs wrap-normal text-violet">
            <span className="sr-only">, </span>
            <Sentence
              text={friends.playing}
              values={{ game: <Name className="line-clamp-1 min-w-0">{friend.playing}</Name> }}
            />
          </span>
        )}
      </span>
      {library !== 'ok' && (
        <span className="shrink-0 text-xs text-soft" title={text.library[library]}>
          <span className="sr-only">, </span>
          {library === 'never' ? (
            text.library.never
          ) : (
            <>
              <Lock aria-hidden className="size-4" />
              <span className="sr-only">{text.library[library]}</span>
            </>
          )}
        </span>
      )}
    </>
  )
}

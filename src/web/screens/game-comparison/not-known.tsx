/** Where a library is not known, and with it what two people have in common (COMP-11). */
import { useQuery } from '@tanstack/react-query'
import { Library, Scale } from 'lucide-react'
import type { LibraryStatus } from '#shared/entities.ts'
import { comparisonQueries } from '../../data/comparison.ts'
import { libraryQueries } from '../../data/library.ts'
import { comparisonOverlap, comparison as comparisonTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PrivateHelp } from '../../ui/private-help.tsx'
import type { Part } from './parts.ts'

const text = comparisonOverlap.notKnown

/** What the API says of two people's libraries (API-12). */
export type Statuses = { my_status: LibraryStatus; their_status: LibraryStatus }

/** Why nothing can be compared, and what to do about it; mine first, because that is in the user's hands. */
export function whyNotKnown({ my_status: mine, their_status: theirs }: Statuses): {
  reason: string
  remedy: string
} {
  return mine === 'ok' ? text.theirs[theirs] : text.mine[mine]
}

/** In the place of a list that is not known, which is not an empty one. */
export function ListNotKnown({
  part,
  friendId,
  isMine,
}: {
  part: Part
  friendId: string
  /** Whether it is my library that is not known. */
  isMine: boolean
}) {
  return (
    <EmptyState
      icon={<Scale />}
      action={
        <>
          {isMine ? (
            <ButtonLink to="/my_games" variant="primary" icon={<Library aria-hidden />}>
              {comparisonTexts.toMyGames}
            </ButtonLink>
          ) : (
            <ButtonLink to={`/friends/${friendId}/games`} icon={<Library aria-hidden />}>
              {comparisonTexts.theirGames}
            </ButtonLink>
          )}
          <HelpIfPrivate friendId={friendId} isMine={isMine} />
        </>
      }
    >
      {text.lists[part]}
    </EmptyState>
  )
}

function HelpIfPrivate({ friendId, isMine }: { friendId: string; isMine: boolean }) {
  const { steamId: me } = useSignedIn()
  const { data } = useQuery(comparisonQueries.overlap(me, friendId))
  const isPrivate = (isMine ? data?.my_status : data?.their_status) === 'private'
  const summary = useQuery({ ...libraryQueries.summary(friendId), enabled: isPrivate && !isMine })
  const person = isMine ? { steam_id: me, display_name: null } : summary.data
  return isPrivate && person && <PrivateHelp people={[person]} />
}

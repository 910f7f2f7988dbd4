/** A friend's card, which links to their games, and to the game they are in. */
import { CircleDashed, EyeOff, Lock, UserRoundX } from 'lucide-react'
import { Link } from 'react-router'
import type { Friend } from '#shared/entities.ts'
import { friendList, library as libraryTexts, friends as friendsTexts } from 'virtual:texts'
import { Avatar, presenceColors, presenceOf, presenceText } from '../../ui/people/avatar.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { canBeChosen } from '../../ui/people/people.ts'
import { Sentence } from '../../ui/words/sentence.tsx'
import type { Overlaps } from './friends-shown.ts'
import type { ComponentProps } from 'react'
import { RadioGroup, type Segmented } from '../../ui/forms/segmented.tsx'
import { formatNumber } from '../../format.ts'

/** All cards have this height, in px. */
export const CARD_HEIGHT_PX = 104

const text = friendsTexts
const libraryIcons = { ok: null, private: Lock, never: CircleDashed, hidden: EyeOff }

/**
 * Avatar, name, presence and what we have in common, or why that is not known. Fills its box. The link to the friend
 * covers the card, below the one to the game.
 * @param overlaps undefined until loaded
 */
export function FriendCard({ friend, overlaps }: { friend: Friend; overlaps: Overlaps | undefined }) {
  const presence = presenceOf(friend)
  const LibraryIcon = canBeChosen(friend) ? libraryIcons[friend.library_status] : UserRoundX
  return (
    <article className="relative flex h-full items-center gap-4 rounded-card border border-line/70 bg-surface/85 px-4 shadow-card transition hover:border-edge/70 hover:bg-raised/70">
      <Avatar src={friend.avatar_url} size="medium" presence={presence} className="size-14!" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <Link
          to={`/friends/${friend.steam_id}/games`}
          aria-description={canBeChosen(friend) ? presenceText(friend) : friendList.former}
          className="-mt-5 flex min-h-11 min-w-0 items-end after:absolute after:inset-0 after:rounded-card focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-mint"
        >
          <Name className="line-clamp-1 font-semibold">{nameOf(friend)}</Name>
        </Link>
        <p className={`flex min-w-0 gap-1 text-sm wrap-normal ${presenceColors[presence]}`}>
          {!canBeChosen(friend) ? (
            friendList.former
          ) : friend.playing !== null ? (
            <Sentence
              text={text.playing}
              values={{ game: <Played friend={friend} name={friend.playing} /> }}
            />
          ) : (
            text.presence[presence === 'playing' ? 'online' : presence]
          )}
        </p>
        <p className="flex items-center gap-1.5 text-xs text-soft">
          {LibraryIcon && <LibraryIcon aria-hidden className="size-3.5 shrink-0" />}
          <Library friend={friend} overlaps={overlaps} />
        </p>
      </div>
    </article>
  )
}

/** The game they are in; a link unless it is not of the store. */
function Played({ friend: { playing_appid }, name }: { friend: Friend; name: string }) {
  const shown = <Name className="line-clamp-1 min-w-0">{name}</Name>
  return playing_appid === null ? (
    shown
  ) : (
    <Link
      to={`/games/${playing_appid}`}
      className="relative -my-3 flex min-h-11 min-w-0 items-center rounded-chip underline-offset-4 hover:underline"
    >
      {shown}
    </Link>
  )
}

/** Nothing while it is loading, rather than a text that changes a moment later. */
function Library({ friend, overlaps }: Parameters<typeof FriendCard>[0]) {
  const { library_status: status, steam_id } = friend
  if (!canBeChosen(friend)) return friendList.formerRemedy
  if (status !== 'ok') return libraryTexts.label[status]
  if (!overlaps) return '\u00A0'
  const games = overlaps.get(steam_id)
  if (games === undefined) return libraryTexts.label.ok
  return <span className="tabular-nums">{friendList.common({ games })}</span>
}

export function FilterChips<Choice extends string>({
  counts,
  ...choices
}: ComponentProps<typeof Segmented<Choice>> & { counts: Readonly<Record<Choice, number>> }) {
  return (
    <RadioGroup
      {...choices}
      className="flex min-w-0 flex-wrap gap-2"
      choiceClass="gap-1.5 rounded-round border px-4"
      chosenClass="border-violet/60 bg-violet-deep text-ink"
      otherClass="border-edge/45 bg-deep/60 text-soft hover:border-edge hover:text-ink"
      after={(choice) => (
        <>
          {' '}
          <span className={`font-normal tabular-nums ${choice === choices.value ? '' : 'text-soft'}`}>
            {formatNumber(counts[choice])}
          </span>
        </>
      )}
    />
  )
}

/**
 * A game's header art, or a tile with its initials.
 * Requirements: LOOK-4, PIC-8.
 */
import { useState } from 'react'
import { hueOf } from '../looks.ts'

/** Width to height of Steam's header art. */
export const ART_RATIO = 460 / 215

/**
 * Art in a box of fixed aspect ratio: tinted while it loads, the game's initials if there is none or it fails (PIC-8).
 * Without alternative text, because the game's name stands beside it.
 * @param isFirst the page's main picture: loaded at once, with high priority
 */
export function GameArt({
  game,
  className = '',
  isFirst = false,
}: {
  game: { appid: number; name: string; image_url: string | null }
  className?: string
  isFirst?: boolean
}) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const drawn = !game.image_url || game.image_url === failedUrl
  return (
    <div
      aria-hidden
      className={`relative aspect-[460/215] shrink-0 overflow-hidden tinted ${className}`}
      style={hueOf(game.appid)}
    >
      {drawn ? (
        <span className="@container absolute inset-0 grid place-items-center font-bold tracking-wider text-ink/80">
          <span className="text-[max(0.75rem,16cqi)]">{initialsOf(game.name)}</span>
        </span>
      ) : (
        <img
          // Otherwise the picture of the game before stays until this one has loaded.
          key={game.image_url}
          src={game.image_url!}
          alt=""
          width={460}
          height={215}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => setFailedUrl(game.image_url!)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </div>
  )
}

/** At most three initials of the words, or the first two characters of a single word. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const initials =
    words.length > 1 ? words.slice(0, 3).map((word) => [...word][0]) : [...(words[0] ?? '?')].slice(0, 2)
  return initials.join('').toUpperCase()
}

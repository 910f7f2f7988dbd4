/** A person's avatar; the product's logo if there is none (PAGE-11). */
import { useState } from 'react'
import type { Friend } from '#shared/entities.ts'
import { friends } from 'virtual:texts'

export const DEFAULT_AVATAR = '/logo.svg'

export type Presence = 'playing' | 'online' | 'away' | 'offline'

/** Presence from Steam's persona states: 1 to 6 are online, of which 3 and 4 are away (PLAT-27). */
export function presenceOf({ personastate, playing }: Pick<Friend, 'personastate' | 'playing'>): Presence {
  if (playing) return 'playing'
  if (personastate === 3 || personastate === 4) return 'away'
  return personastate >= 1 ? 'online' : 'offline'
}

/** What the ring says, as text: 'Online', or 'Playing Portal'. */
export function presenceText(friend: Pick<Friend, 'personastate' | 'playing'>): string {
  const presence = presenceOf(friend)
  return presence === 'playing' ? friends.playing({ game: friend.playing ?? '' }) : friends.presence[presence]
}

/** Of what says the presence in words, in the colour of the ring. */
export const presenceColors: Record<Presence, string> = {
  playing: 'text-violet',
  online: 'text-mint',
  away: 'text-amber',
  offline: 'text-soft',
}

const rings: Record<Presence, string> = {
  playing: 'forced-color-adjust-none ring-2 ring-violet',
  online: 'forced-color-adjust-none ring-2 ring-mint',
  away: 'forced-color-adjust-none ring-2 ring-amber',
  offline: 'ring-1 ring-line',
}
const sizes = { tiny: 'size-6', small: 'size-9', medium: 'size-12', large: 'size-20' } as const

/**
 * A round picture without alternative text, because the name stands beside it.
 * @param presence draws a ring: violet playing, mint online, amber away; give the row its text as a description
 */
export function Avatar({
  src,
  size = 'medium',
  presence,
  className = '',
}: {
  src: string | null | undefined
  size?: keyof typeof sizes
  presence?: Presence
  className?: string
}) {
  const [failedSrc, setFailedSrc] = useState<string>()
  const shown = src && src !== failedSrc ? src : DEFAULT_AVATAR
  return (
    <img
      src={shown}
      alt=""
      width={48}
      height={48}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setFailedSrc(src ?? undefined)}
      className={
        `${sizes[size]} shrink-0 rounded-round bg-raised object-cover ring-offset-2 ring-offset-deep ` +
        `${presence ? rings[presence] : ''} ${className}`
      }
    />
  )
}

/** The backdrop of a banner: pictures of games, dimmed so that text on them is readable (GPAGE-26). */
import { useState } from 'react'
import { hueOf } from '../looks.ts'

const PICTURES = 5

/** The first few pictures; a tint without any. @param seed chooses the tint */
export function Backdrop({ seed, games }: { seed: number; games: readonly { image_url: string | null }[] }) {
  const pictures = games.flatMap(({ image_url }) => image_url ?? []).slice(0, PICTURES)
  return (
    <div
      aria-hidden
      className="banner-ground absolute inset-0 -z-10 overflow-hidden bg-surface"
      style={hueOf(seed)}
    >
      <div className="absolute -inset-2 flex brightness-70">
        {pictures.map((src) => (
          <Picture key={src} src={src} />
        ))}
      </div>
      {/* With the brightness above, all text has enough contrast even on a white picture: large text at the top right has
          4.5:1, soft text at the bottom 6:1. */}
      <div className="absolute inset-0 bg-linear-to-r from-ground/80 to-ground/40" />
      <div className="absolute inset-0 bg-linear-to-t from-ground/80 to-transparent" />
    </div>
  )
}

function Picture({ src }: { src: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  if (hasFailed) return null
  return (
    <img
      src={src}
      alt=""
      decoding="async"
      fetchPriority="high"
      referrerPolicy="no-referrer"
      onError={() => setHasFailed(true)}
      className="h-full min-w-0 flex-1 object-cover blur-sm max-sm:not-nth-[-n+3]:hidden"
    />
  )
}

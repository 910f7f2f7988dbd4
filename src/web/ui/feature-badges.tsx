/** How a game is played with others, as badges (GPAGE-27). */
import type { SharedGame } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { FeatureBadge } from './feature-badge.tsx'

const texts = messages.gameView

/** The height of the badges and the space below them, in px. */
export const BADGES_PX = 34

/** Of badges side by side: how wide the line must be for the names of all, by their number. */
/** One line: one or two ways in words, as many as the line has room for, and how many more there are. */
export function FeatureBadges({
  game: { features, modes },
}: {
  game: Pick<SharedGame, 'features' | 'modes'>
}) {
  const [first, second, ...rest] = features
  const names = features.map((feature) => texts.features[feature]).join(', ')
  return (
    <p
      className="@container mb-1.5 flex h-6 shrink-0 items-center gap-x-1 overflow-hidden text-xs"
      title={names}
    >
      {first && <FeatureBadge feature={first} />}
      {second && <FeatureBadge feature={second} className="hidden @min-[17rem]:inline-flex" />}
      {second && (
        <span
          aria-hidden
          className={`text-soft tabular-nums ${rest.length === 0 ? '@min-[17rem]:hidden' : ''}`}
        >
          +<span className="@min-[17rem]:hidden">{rest.length + 1}</span>
          <span className="hidden @min-[17rem]:inline">{rest.length}</span>
        </span>
      )}
      {second && <span className="sr-only">{names}</span>}
      {features.length === 0 && modes.length === 0 && (
        <span className="inline-flex h-6 items-center text-soft">{texts.unknownModes}</span>
      )}
    </p>
  )
}

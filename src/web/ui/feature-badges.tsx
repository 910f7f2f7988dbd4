/** How a game is played with others, as badges (GPAGE-27). */
import type { SharedGame } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { FeatureBadge } from './feature-badge.tsx'

const texts = messages.gameView

/** The height of the badges and the space below them, in px. */
export const BADGES_PX = 34

/** Of badges side by side: how wide the line must be for the names of all, by their number. */
const ALL_NAMES = [
  '',
  '',
  'sr-only @min-[17rem]:not-sr-only',
  'sr-only @min-[26rem]:not-sr-only',
  'sr-only @min-[34rem]:not-sr-only',
  'sr-only @min-[42rem]:not-sr-only',
]
const FIRST_NAME = 'sr-only @min-[15rem]:not-sr-only'

/** One line of badges. Where it is too narrow for all their names, only the first has its name, or none. */
export function FeatureBadges({
  game: { features, modes },
}: {
  game: Pick<SharedGame, 'features' | 'modes'>
}) {
  const allNames = ALL_NAMES[features.length]!
  return (
    <p
      className="@container mb-1.5 flex h-6 shrink-0 gap-x-1 overflow-hidden text-xs"
      title={features.map((feature) => texts.features[feature]).join(', ')}
    >
      {features.map((feature, index) => (
        <FeatureBadge
          key={feature}
          feature={feature}
          nameClass={index === 0 && features.length > 1 ? FIRST_NAME : allNames}
        />
      ))}
      {features.length === 0 && modes.length === 0 && (
        <span className="inline-flex h-6 items-center text-soft">{texts.unknownModes}</span>
      )}
    </p>
  )
}

/** How a game is played with others, as badges (GPAGE-27). */
import type { SharedGame } from '#shared/entities.ts'
import { messages } from '../messages.ts'
import { FeatureBadge } from './feature-badge.tsx'

const texts = messages.gameView

/** The height of the badges and the space below them, in px. */
export const BADGES_PX = 34

/** One line of badges: those that fit, and all of them in the tooltip. */
export function FeatureBadges({
  game: { features, modes },
}: {
  game: Pick<SharedGame, 'features' | 'modes'>
}) {
  const names = features.map((feature) => texts.features[feature])
  return (
    <p
      className="mb-1.5 flex h-6 shrink-0 flex-wrap gap-x-1 overflow-hidden text-xs"
      title={names.join(', ')}
    >
      {features.map((feature) => (
        <FeatureBadge key={feature} feature={feature} />
      ))}
      {features.length === 0 && modes.length === 0 && (
        <span className="inline-flex h-6 items-center text-soft">{texts.unknownModes}</span>
      )}
    </p>
  )
}

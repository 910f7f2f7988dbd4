/** A badge for one way in which a game is played with others. */
import { Armchair, Cast, Globe, Swords, Users, type LucideIcon } from 'lucide-react'
import type { GameFeature } from '#shared/entities.ts'
import { messages } from '../messages.ts'

const icons: Record<GameFeature, LucideIcon> = {
  online_coop: Users,
  online_versus: Swords,
  same_screen: Armchair,
  remote_play: Cast,
  cross_platform: Globe,
}

export function FeatureBadge({
  feature,
  className = 'inline-flex',
}: {
  feature: GameFeature
  className?: string
}) {
  const Icon = icons[feature]
  const name = messages.gameView.features[feature]
  return (
    <span
      className={`h-6 min-w-0 items-center gap-1 rounded-chip bg-raised px-1.5 text-xs whitespace-nowrap ${className}`}
    >
      <Icon aria-hidden className="size-3.5 shrink-0 text-violet" />
      <span className="truncate">{name}</span>
    </span>
  )
}

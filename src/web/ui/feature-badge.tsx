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

/** @param nameClass hides the name where there is no room for it */
export function FeatureBadge({ feature, nameClass = '' }: { feature: GameFeature; nameClass?: string }) {
  const Icon = icons[feature]
  const name = messages.gameView.features[feature]
  return (
    <span className="inline-flex h-6 shrink-0 items-center gap-1 rounded-chip bg-raised px-1.5 text-xs whitespace-nowrap">
      <Icon aria-hidden className="size-3.5 shrink-0 text-violet" />
      <span className={nameClass}>{name} </span>
    </span>
  )
}

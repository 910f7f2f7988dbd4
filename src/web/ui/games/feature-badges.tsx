/** How a game is played with others, as badges (GPAGE-27). */
import type { SharedGame, GameFeature } from '#shared/entities.ts'
import { gameView as texts } from 'virtual:texts'
import { Armchair, Cast, Globe, Swords, Users, type LucideIcon } from 'lucide-react'

/** The height of the badges and the space below them, in px. */
export const BADGES_PX = 34

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
  const name = texts.features[feature]
  return (
    <span
      className={`h-6 min-w-0 items-center gap-1 rounded-chip bg-raised px-1.5 text-xs whitespace-nowrap ${className}`}
    >
      <Icon aria-hidden className="size-3.5 shrink-0 text-violet" />
      <span className="truncate">{name}</span>
    </span>
  )
}

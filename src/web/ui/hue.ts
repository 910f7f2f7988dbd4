/** The hue of what has no picture of its own, for the classes of styles.css that take one. */
import type { CSSProperties } from 'react'

/** The same hue for a number always; numbers that follow each other have hues far apart. */
export function hueOf(id: number): CSSProperties {
  return { '--hue': (id * 137.508) % 360 } as CSSProperties
}

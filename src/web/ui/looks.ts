/** What all fields look like (LOOK-23); apart from field.tsx, because the first screens have a choice and no text field. */
import type { CSSProperties } from 'react'

/** 16 px wherever there is no mouse: iOS zooms into smaller fields. */
export const inputLook =
  'min-h-11 w-full rounded-control border border-edge/70 bg-deep/80 px-3.5 py-2 text-base text-ink transition ' +
  'placeholder:text-ellipsis hover:border-edge focus-visible:border-mint focus-visible:outline-offset-0 aria-invalid:border-rose md:pointer-fine:text-sm'

export const selectLook = `${inputLook} select-arrow pr-10`

/** The same hue for a number always; numbers that follow each other have hues far apart. */
export function hueOf(id: number): CSSProperties {
  return { '--hue': (id * 137.508) % 360 } as CSSProperties
}

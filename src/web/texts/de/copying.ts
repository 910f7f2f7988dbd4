import type { copying as english } from '../en/copying.ts'
import type { Translated } from '../types.ts'

export const copying: Translated<typeof english> = {
  copied: 'Kopiert!',
  byKey: 'Markiert: kopiere es mit Strg+C oder über das Menü deines Geräts.',
}

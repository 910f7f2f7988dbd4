import type { wholeNightLists as english } from '../en/whole-night-lists.ts'
import type { Translated } from '#shared/texts/types.ts'

export const wholeNightLists: Translated<typeof english> = {
  delete: '{name} löschen',
  deleteConfirm: 'Löschen',
  deleteTitle: 'Diesen abgesagten Spieleabend löschen?',
  deleteText: 'Er wird für alle gelöscht, die eingeladen waren, und lässt sich nicht wiederherstellen.',
  deleteFailed: 'Der Spieleabend konnte nicht gelöscht werden.',
}

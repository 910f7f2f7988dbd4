import type { wholeNightLists as english } from '../en/whole-night-lists.ts'
import type { Translated } from '#shared/texts/types.ts'

export const wholeNightLists: Translated<typeof english> = {
  moreFrom: '{count, plural, one {# weiterer} other {# weitere}} von {host}',
  leaveAll: 'Alle verlassen',
  leaveAllTitle: 'Alle Spieleabende dieses Gastgebers verlassen?',
  leaveAllText:
    'Du verlässt alle Spieleabende dieses Gastgebers, auf die du nicht geantwortet hast, auch die, die ohnehin in der Liste stehen. In deinen Gruppen bleibst du.',
  leaveAllFailed: 'Die Spieleabende konnten nicht verlassen werden.',
  delete: '{name} löschen',
  deleteConfirm: 'Löschen',
  deleteTitle: 'Diesen abgesagten Spieleabend löschen?',
  deleteText: 'Er wird für alle gelöscht, die eingeladen waren, und lässt sich nicht wiederherstellen.',
  deleteFailed: 'Der Spieleabend konnte nicht gelöscht werden.',
}

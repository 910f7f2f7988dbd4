/** Texts of whole lists of game nights: deleting cancelled nights (NIGHT-116). */
export const wholeNightLists = {
  delete: 'Delete {name}',
  deleteConfirm: 'Delete',
  deleteTitle: 'Delete this cancelled game night?',
  deleteText: 'It is deleted for everyone who was asked, and cannot be restored.',
  deleteFailed: 'Failed to delete the game night.',
} as const

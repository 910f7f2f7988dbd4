/** Texts of whole lists of game nights: the rest of one host, and deleting cancelled nights (NIGHT-116, NIGHT-117). */
export const wholeNightLists = {
  moreFrom: '{count, number} more from {host}',
  leaveAll: 'Leave all',
  leaveAllTitle: 'Leave all game nights of this host?',
  leaveAllText:
    'You leave every game night of this host that you have not answered, also those that the list shows anyway. You stay in your groups.',
  leaveAllFailed: 'Failed to leave the game nights.',
  delete: 'Delete {name}',
  deleteConfirm: 'Delete',
  deleteTitle: 'Delete this cancelled game night?',
  deleteText: 'It is deleted for everyone who was asked, and cannot be restored.',
  deleteFailed: 'Failed to delete the game night.',
} as const

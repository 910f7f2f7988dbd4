/** Texts of the Groups screen and of invitations. */

/** GLIST-2 and DASH-10. */
export const groups = {
  title: 'Groups',
  lead: 'See which games everyone in a group owns.',
  list: 'My groups',
  members: '{count, plural, one {1 member} other {# members}}',
  inCommon: '{games, number} in common',
  view: 'View Group',
  create: 'Create Group',
  toForm: 'New group',
  creating: 'Creating...',
  alone: 'It begins with you alone. On its page you add friends or invite by link.',
  name: 'Group name',
  namePlaceholder: 'Friday night',
  nameRequired: 'Group name required.',
  createFailed: 'Failed to create group.',
  notAnImage: 'Please choose an image file.',
  sort: { size: 'By Size', newest: 'Newest First', oldest: 'Oldest First', alpha: 'A-Z' },
  empty: 'You’re not in any groups yet. Create one, then add your friends.',
  failed: 'Failed to fetch groups',
  left: {
    title: 'Groups you left',
    hint: 'Members can’t add you again, but you can come back.',
    comeBack: 'Come back',
    comingBack: 'Coming back...',
    comeBackFailed: 'Failed to rejoin the group.',
    back: 'You’re back in {group}',
    gone: 'The group was deleted, or its owner doesn’t let you come back.',
  },
  /** When the group was created but the upload failed; shown on the group's page, where the user can retry. */
  createdWithoutPicture:
    'Your group was created, but the picture couldn’t be uploaded: {reason} Choose it again under Set Picture.',
} as const

/** Invitations: groups that another member added the user to (MEM-10). */
export const invitation = {
  title: 'Invitations',
  addedYouTo: '{person} added you to {group}',
  youWereAddedTo: 'You were added to {group}',
  addedYou: '{person} added you to this group.',
  youWereAdded: 'You were added to this group.',
  consequence:
    'When you join, members can see your library if your settings allow it, and you can see theirs. Friends can see each other’s libraries either way.',
  join: 'Join',
  joining: 'Joining...',
  joinFailed: 'Failed to join the group.',
  decline: 'Decline',
  declining: 'Declining...',
  declineFailed: 'Failed to decline.',
  /** Without a full stop after the name: that could wrap onto a line of its own. */
  joined: 'You have joined {group}',
  declined: 'You declined {group}',
  joinAfterAll: 'Join after all',
  notJoined: 'not joined yet',
} as const

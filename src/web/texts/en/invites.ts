/** Texts of links by which people join: the dialog that passes them on, and the page that they open (NIGHT-94). */
export const invites = {
  title: { group: 'Invite to this group', night: 'Tell the others' },
  explained: {
    group: 'Everyone who opens the link and signs in can join this group.',
    night: 'Everyone who opens the link and signs in can join this game night, and nothing else.',
  },
  failed: 'Failed to fetch the link',
  create: 'Create a link',
  creating: 'Creating…',
  link: 'Link',
  copy: 'Copy link',
  code: 'QR code of the link',
  codeHint: 'Or let people scan this code.',
  validUntil: 'Valid until {time}, created by {name}.',
  validUntilMine: 'Valid until {time}, created by you.',
  renew: 'Renew',
  renewing: 'Renewing…',
  renewed: 'This is the new link. The one before no longer works.',
  renewTitle: 'Renew the link?',
  renewText: 'People who have the link so far can’t join with it any more. Those who have joined stay.',
  switchOff: 'Switch off',
  switchingOff: 'Switching off…',
  switchedOff: 'The link is switched off.',
  switchOffTitle: 'Switch the link off?',
  switchOffText: 'Nobody can join with it any more. Those who have joined stay.',
  changeFailed: 'Failed to change the link.',

  join: {
    windowTitle: 'You’re invited',
    loading: 'Opening your invitation…',
    /** @param name of the group, or the title of the night */
    to: { group: 'You’re invited to join {name}', night: 'You’re invited to {name}' },
    untitled: 'a game night',
    kind: { group: 'Group', night: 'Game night' },
    invites: '{name} invites you.',
    about: {
      group: 'In a group you see which games all of you own, and what you can play together.',
      night: 'Say whether you’re in, see which games all of you own, vote, and play.',
    },
    consequence: {
      group: 'When you join, members can see your library if your settings allow it, and you can see theirs.',
      night:
        'When you join, its people see your name. Only if you say that you’re in, they see which games of its list you own.',
    },
    join: 'Join {group}',
    joining: 'Joining…',
    /** Of how many are in, or have joined. */
    count: {
      group: '{count, plural, one {1 member has joined} other {# members have joined}}',
      night: '{count, plural, one {1 is in} other {# are in}}',
    },
    findsDate: 'Several dates are proposed. Join, and say when you can.',
    atStake: 'Games at stake',
    /** Somebody without a visible name. */
    nameless: 'A player',
    /** What who says 'in' by the link agrees to. */
    faces: {
      on: 'If you are in, everyone with this link sees your name and picture here.',
      off: 'If you are in, everyone with this link sees one more who is in, not who.',
    },
    answers: { legend: 'Are you in?', in: 'In', maybe: 'Maybe', out: 'Out' },
    signInToAnswer: 'You sign in with Steam next. You come back here, and your answer is sent.',
    joinFailed: 'Failed to join.',
    signIn: 'Sign in with Steam to join',
    signInHint: 'You come back here, and nothing is joined before you say so.',
    gone: 'This invitation is no longer valid. Ask for a new link.',
    goneTitle: 'Invitation not valid',
    failed: 'Failed to open the invitation',
    toDashboard: 'Go to Dashboard',
    toLogin: 'See what Shelfmates is',
  },
} as const

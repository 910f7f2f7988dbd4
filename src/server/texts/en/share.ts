/** Shared picks and invitations, as pages, pictures and previews of links (NIGHT-76, NIGHT-120). */
export const share = {
  untitled: 'Game night',
  findingDate: 'The date is being found',
  in: '{count, plural, one {1 is in} other {# are in}}',
  joined: '{count, plural, one {1 member has joined} other {# members have joined}}',
  invites: '{name} invites you',
  play: 'See what you can all play',
  goneTitle: 'Not found',
  gone: 'This link is no longer valid',
  askForNew: 'Ask for a new one.',
  demo: 'This is a public demo: strangers wrote what you see here, and all of it is deleted regularly.',
  nextReset: 'Next reset at {time}.',
} as const

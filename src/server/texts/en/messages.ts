/** Messages to webhooks (NIGHT-68), and why one was not sent (NIGHT-71). `{night}` is a title or the name of a group. */
export const messages = {
  test: 'This is a test of Shelfmates: messages about game nights arrive here.',
  about: {
    dating: 'When can you play ({night})?',
    planned: 'A game night is planned ({night}).',
    found: 'A date was found for the game night ({night}).',
    moved: 'The game night has another time ({night}).',
    cancelled: 'The game night is cancelled ({night}).',
    upcoming: 'A game night is coming up ({night}).',
    starting: 'The game night starts soon ({night}).',
    started: 'The game night starts now ({night}).',
    decided: 'The game night is decided ({night}).',
  },
  decidedFor: 'The game night is decided ({night}): {game}.',
  /** Of a night without title and group. */
  decidedAs: 'The game night is decided: {game}.',
  /** Where the night is named below, or has no name. */
  what: {
    dating: 'When can you play?',
    planned: 'A game night is planned.',
    found: 'A date was found for the game night.',
    moved: 'The game night has another time.',
    cancelled: 'The game night is cancelled.',
    upcoming: 'A game night is coming up.',
    starting: 'The game night starts soon.',
    started: 'The game night starts now.',
    decided: 'The game night is decided.',
  },
  picked: 'Picked: {game}',
  in: '{count} in',
  inOfGroup: '{count} in · {group}',
  /** A link to the night. */
  open: 'Open',
  failures: {
    unreachable: 'The address cannot be reached.',
    not_public: 'The address is not on the public internet.',
    too_slow: 'The address took too long to respond.',
    redirects: 'The address redirects.',
    refused: 'The address responded with {status}.',
    unknown: 'The message could not be sent.',
    tooMany: 'More than {count} messages in an hour: some were not sent.',
  },
  /** Of a failure, as above. */
  givenUp: '{failure} A message was given up.',
  off: '{failure} Nothing more is sent.',
} as const

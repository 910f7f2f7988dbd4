/** Every text that the server shows to people. */
export const en = {
  /** Game nights in calendars (NIGHT-62, NIGHT-65). */
  calendar: {
    name: 'Game nights',
    night: 'Game night',
    nightOf: 'Game night: {group}',
    picked: 'Picked: {game}',
  },

  /** Times in the zone that they name. */
  dates: {
    inZone: '{weekday} {day} {month} at {time}, {zone}',
  },

  /** Messages to webhooks (NIGHT-68), and why one was not sent (NIGHT-71). `{night}` is a title or the name of a group. */
  messages: {
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
    lacking:
      '{count, plural, one {1 person does not have the game yet} other {# of them do not have the game yet}}',
    in: '{count} in',
    inOfGroup: '{count} in · {group}',
    failures: {
      unreachable: 'The address cannot be reached.',
      not_public: 'The address is not on the public internet.',
      too_slow: 'The address took too long to respond.',
      redirects: 'The address redirects.',
      refused: 'The address responded with {status}.',
      forum: 'This is a forum channel: add ?thread_id= and the id of one of its posts to the address.',
      unknown: 'The message could not be sent.',
      tooMany: 'More than {count} messages in an hour: some were not sent.',
    },
    /** Of a failure, as above. */
    givenUp: '{failure} A message was given up.',
  },

  /** Notifications on a user's devices (PUSH-4 to PUSH-8). */
  notifications: {
    /** The title, for a night with neither a title nor a group. */
    night: 'Game night',
    askedBy: '{name} asks you to play: {when}',
    askedByNow: '{name} asks you to play now.',
    asked: 'You are asked to play: {when}',
    askedNow: 'You are asked to play now.',
    askedWhenBy: '{name} asks when you can play.',
    askedWhen: 'You are asked when you can play.',
    moved: 'It has another time: {when}',
    movedNow: 'It starts now.',
    dated: 'The date was found: {when}',
    cancelled: 'It is cancelled. It was planned for {when}.',
    /** It was started at once, or had no date yet. */
    cancelledUnplanned: 'It is cancelled.',
    hosting: 'Its host has left. You host it now.',
    owner: 'You own this group now.',
    vote: 'The vote is on, and you have not voted yet.',
    picked: 'You play {game}.',
    pickedLacking:
      '{count, plural, one {You play {game}. 1 person does not have it yet.} other {You play {game}. # of you do not have it yet.}}',
    upcoming: 'Coming up: {when}',
    upcomingWith: 'You play {game}: {when}',
    upcomingUnanswered: 'Are you in? You have not answered yet: {when}',
    starting: '{minutes, plural, one {It starts in 1 minute.} other {It starts in # minutes.}}',
    startingWith:
      '{minutes, plural, one {It starts in 1 minute: {game}} other {It starts in # minutes: {game}}}',
    startingUnanswered:
      '{minutes, plural, one {Are you in? It starts in 1 minute, and you have not answered yet.} other {Are you in? It starts in # minutes, and you have not answered yet.}}',
    /** For lock screens that others see: without names of people, groups, nights and games. */
    discreet: {
      asked: 'You are asked to a game night.',
      moved: 'A game night has another time.',
      dated: 'A game night has a date.',
      cancelled: 'A game night is cancelled.',
      hosting: 'You host a game night now.',
      owner: 'You own a group now.',
      vote: 'A vote is on, and you have not voted yet.',
      picked: 'A game is picked.',
      upcoming: 'A game night is coming up: {when}',
      upcomingUnanswered: 'Are you in? You have not answered a game night yet: {when}',
      starting:
        '{minutes, plural, one {A game night starts in 1 minute.} other {A game night starts in # minutes.}}',
      startingUnanswered:
        '{minutes, plural, one {Are you in? A game night starts in 1 minute, and you have not answered yet.} other {Are you in? A game night starts in # minutes, and you have not answered yet.}}',
    },
  },

  /**
   * What the built pages say without their scripts: `index.html`, `offline.html` and the manifest have these texts, word for
   * word (LANG-9).
   */
  pages: {
    description:
      "Your shelf of games beside your friends': compare libraries and see what you can all play tonight.",
    slow: 'Shelfmates is taking long to load.',
    tooOld:
      'This browser is too old for Shelfmates, which needs Chrome or Edge 123, Firefox 125, Safari 17.5, or newer.',
    tryAgain: 'Try again',
    noScript: 'Shelfmates needs JavaScript to show your games.',

    /** offline.html */
    offlineTitle: 'Offline · Shelfmates',
    unreachable: 'Shelfmates can’t be reached',
    offline: 'You’re offline, or the server doesn’t answer. This page tries again by itself.',
    known: 'What is known',
    signedIn: 'You’re still signed in if you were, and nothing you saved is lost.',
    openPages: 'Pages that are open in other tabs or windows still show what they showed.',
    unknown: 'What isn’t',
    yours:
      'Your games, friends, groups and game nights. They’re kept on the server only, so that nobody else who uses this device sees them.',

    /** The manifest. */
    appDescription: "Your shelf of games beside your friends': see what you can all play tonight.",
    startNight: 'Start a game night',
    night: 'Game night',
    groups: 'Groups',
  },

  /** Shared picks and invitations, as pages, pictures and previews of links (NIGHT-76, NIGHT-120). */
  share: {
    untitled: 'Game night',
    findingDate: 'The date is being found',
    in: '{count, plural, one {1 is in} other {# are in}}',
    lacking: '{count, plural, one {1 does not have the game yet} other {# do not have the game yet}}',
    joined: '{count, plural, one {1 member has joined} other {# members have joined}}',
    invites: '{name} invites you',
    play: 'See what you can all play',
    goneTitle: 'Not found',
    gone: 'This link is no longer valid',
    askForNew: 'Ask for a new one.',
    demo: 'This is a public demo: strangers wrote what you see here, and all of it is deleted regularly.',
    nextReset: 'Next reset at {time}.',
  },
} as const

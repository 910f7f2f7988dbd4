/** Texts of a game night's pages, which are loaded with them rather than with the first screen (NIGHT-79). */
export const nights = {
  failed: 'Failed to fetch this game night',
  goneTitle: 'Ask for an invitation',
  gone: 'If there is a game night here, you are not part of it. Whoever sent you this address can send you its invitation link.',
  removed: 'You are no longer part of this game night, or it was deleted.',
  toDashboard: 'Back to Dashboard',
  hostedBy: 'Hosted by {host}',
  hostedByMe: 'Hosted by you',
  reconnecting: 'Reconnecting…',
  you: 'You',
  /** Among the names of those for whom something is missing or of whom it is not known. */
  youWithin: 'you',
  /** What a person wrote. */
  quoted: '“{words}”',

  status: {
    dating: 'Finding a date',
    open: 'Voting is open',
    tied: 'Waiting for the draw',
    decided: 'Decided',
    cancelled: 'Cancelled',
    over: 'Over',
  },
  cancelled: 'This game night was cancelled.',
  over: 'This game night is over. Nothing was picked.',

  people: {
    title: 'Who is in?',
    parts: { in: 'In', maybe: 'Maybe', out: 'Out', none: 'Not answered' },
    host: 'Host',
    voted: 'has voted',
    everyone: 'Everyone',
    showAll: 'Show all {count}',
    fewer: 'Show fewer',
    remove: 'Remove {name}',
    removeTitle: 'Remove from this night?',
    removeConsequence: '{name} will no longer see this game night. Their answer and votes go with them.',
    removeFailed: 'Failed to remove the person.',
    ask: 'Ask more people',
    leave: 'Leave this night',
    leaveTitle: 'Leave this game night?',
    leaveConsequence: 'You no longer see this night. To stay and not play, answer “Out”.',
    /** What becomes of my vote. */
    leaveVote: {
      none: 'Your answer is removed.',
      open: 'Your answer and your vote are removed.',
      ended: 'Your answer and your marks are removed. What was decided stays.',
    },
    leaveFailed: 'Failed to leave the game night.',
    left: 'You have left this game night.',
  },

  answer: {
    title: 'Are you in?',
    legend: 'Your answer',
    options: { in: 'In', maybe: 'Maybe', out: 'Out' },
    meaning: '“In” also lets the people of this night see which games on the list you own.',
    word: 'A word with it (optional)',
    wordHint: 'Such as “from nine”',
    /** Opens the field of the word where it is folded. */
    addWord: 'Add a word',
    /** To who is in: what the night's link shows of them. */
    shownByLink: {
      number: 'Players here see which games you own; the link shows how many are in and three games.',
      faces: 'Players here see which games you own; the link shows your name, picture and three games.',
    },
    save: 'Save',
    saving: 'Saving…',
    saved: 'Saved!',
    failed: 'Failed to save your answer.',
    late: 'Voting has ended; ask {host} to reopen it.',
    lateUnled: 'Voting has ended.',
    voteRestsTitle: 'Change your answer?',
    voteRestsText:
      'You have voted. Your votes do not count while you are not in, and count again when you come back.',
    voteRests: 'Change my answer',
  },

  notCounted: {
    title: 'Not counted',
    /** @param rest how many others there are */
    more: '{rest, plural, =0 {{name} not counted} one {{name} and # more not counted} other {{name} and # more not counted}}',
    explained: 'You do not see their games here, so the list is made without them.',
    notIn: '{name} is not in yet',
    remedy: {
      private:
        'In Steam, Profile > Edit Profile > Privacy Settings: set "Game details" to Public, then sync.',
      never: 'Their games are counted once they are synced.',
      hidden: 'A hidden library can be shared again on its owner’s Account page.',
      notIn: 'Whoever is in lets this night see their games, unless they hide their library.',
    },
    toAccount: 'Open your Account page',
    toMyGames: 'Sync your games',
  },

  claims: {
    /** The button, for whose library is not counted. */
    have: 'I have it',
    explained:
      'Your games are not counted here. Press “I have it” at those you own: it counts in this night only, and everyone in it sees it.',
    says: '{people, plural, one {{names} says they own it} other {{names} say they own it}}',
    failed: 'Failed to save that you have it.',
  },

  list: {
    title: 'Shortlist',
    titleEnded: 'How everyone voted',
    best: 'The best {shown} of {total, plural, one {1 game} other {# games}} to play together',
    all: '{count, plural, one {1 game} other {# games}} to play together',
    /** What can be played if everyone comes who has not said no. */
    ifAll:
      '{people, plural, =2 {If both come} other {If all # come}}: {count, plural, one {1 game} other {# games}}',
    /** With those who have said that they are in. */
    withThose:
      '{people, plural, one {with the one who is in} other {with the # who are in}}: {count, number}',
    bestShown: 'the best {shown} are shown',
    lacking: 'Missing for {names}',
    sorts: { rank: 'Best first', alphabetical: 'A-Z', fresh: 'New to most' },
    search: 'Search the shortlist',
    noMatch: 'No games of the shortlist match.',
    empty: {
      nobody: 'The shortlist appears when the first person is in.',
      unknown: 'No library is known of those who may come, so there is nothing to choose from yet.',
      none: 'There is no game that all who are in own and can play together. Look at those that one of them lacks.',
    },
    newOrder: 'The list has changed. Show the new order',
    gone: 'No longer on the list',
    goneMarked: 'Not on the list at the moment; your mark waits',
    added: 'New',
    owners: {
      played: '{count, plural, one {1 of the owners played it} other {# of the owners played it}}',
      never: '{count, plural, one {1 never did} other {# never did}}',
      unknown: '{count, plural, one {of 1 it is not known} other {of # it is not known}}',
    },
    legend: { played: 'played it', never: 'owns it, never played', unknown: 'owns it, hours not known' },
    forbids: 'One “Not tonight” rules a game out.',
    anySize: 'Games for fewer people may be picked too.',
    /** Of games for fewer people than are in. */
    tooSmall: 'Known to have no room for all of you. They can be marked, but are not picked.',
    allowThem: 'You can allow them in the host menu.',
    hidden: 'Marks are hidden until you have voted.',
    keys: 'Keys on a game: 1 Want, 2 Fine, 3 Not tonight, 0 no mark, V to the vote.',
    inFirst: 'Say that you are in to vote.',
    whenOut: 'You are out. If that changes, say so to vote.',
    voteRests: 'You have voted. Your vote counts while you are in.',
    toVote: 'Skip to your vote',
  },

  marks: {
    legend: 'Your mark for {game}',
    options: { want: 'Want', fine: 'Fine', no: 'Not tonight' },
    /** Who gave the mark. */
    by: { want: 'Want it: {names}', fine: 'Fine with it: {names}', no: 'Not tonight: {names}' },
    noneGiven: 'No marks',
    score: 'Score {score}',
    ruledOut: 'Ruled out',
  },

  bar: {
    label: 'Your vote',
    marked: '{marked}/{all} marked',
    about: 'How voting works',
    rest: 'Rest is fine',
    clear: 'Clear marks',
    vote: 'Vote',
    voting: 'Voting…',
    changeable: 'You can change your vote until voting ends.',
    change: 'Change my vote',
    undo: 'Undo changes',
    unsent: 'Your changes are not sent yet.',
    fresh: '{count, plural, one {1 new game since you voted} other {# new games since you voted}}',
    waiting:
      '{count, plural, one {1 mark waits for its game to come back.} other {# marks wait for their games to come back.}}',
    unanswered:
      '{count, plural, one {1 has not answered; the list may change.} other {# have not answered; the list may change.}}',
    voted: '{voted} of {all} voted',
    youVoted: 'You have voted.',
    failed: 'Failed to vote.',
  },

  host: {
    menu: 'Host menu',
    title: 'You host this night',
    titleOfOwner: 'You own the group of this night',
    name: 'Title (optional)',
    time: 'Date and time',
    timeWrong: 'Choose a time from now to a year ahead.',
    forbids: 'One “Not tonight” rules a game out',
    anySize: 'Games for fewer people may be picked',
    faces: 'The link shows names and pictures of who is in',
    save: 'Save changes',
    saving: 'Saving…',
    saveFailed: 'Failed to save the changes.',
    endTitle: 'End the vote',
    close: 'Close the vote',
    closing: 'Closing…',
    closeHint: 'The game with the best score is picked. A tie is drawn.',
    byDraw: 'Draw for us',
    byDrawHint:
      'Chance decides. The odds of a game are its score: 2 for each “Want”, 1 for each “Fine”, −3 for each “Not tonight”. Games at 0 or below have no chance, unless all are.',
    closeFailed: 'Failed to end the vote.',
    reopen: 'Reopen the vote',
    reopening: 'Reopening…',
    reopenTitle: 'Reopen the vote?',
    reopenText: {
      tied: 'All votes stay and can be changed. The vote ends when everyone who is in has voted, or when you close it.',
      decided:
        'All votes stay and can be changed; the pick and its link are withdrawn. The vote ends when everyone who is in has voted, or when you close it.',
    },
    reopenFailed: 'Failed to reopen the vote.',
    closeEarly: 'Close the vote now?',
    drawTitle: 'Close the vote and draw?',
    missing:
      '{count, plural, one {1 person who is in has not voted yet.} other {# people who are in have not voted yet.}}',
    cancel: 'Cancel this night',
    cancelling: 'Cancelling…',
    cancelTitle: 'Cancel this game night?',
    cancelText: 'Everyone sees that it was cancelled. This can’t be undone.',
    cancelFailed: 'Failed to cancel the game night.',
    keep: 'Keep it',
  },

  tie: {
    title: 'It’s a tie',
    drawTitle: 'Chance decides',
    odds: 'Odds',
    chance: '{weight} in {sum} ({percent})',
    draw: 'Draw now',
    drawing: 'Drawing…',
    drawFailed: 'Failed to draw.',
    waitingFor: 'Waiting for the draw by {host}',
    waiting: 'Waiting for the host to draw.',
    everythingRuledOut:
      'Every game had a “Not tonight”, so none could be ruled out; each one only lowered the score.',
    seed: 'The seed was fixed before the vote; its hash: {hash}',
    how: 'How is a draw decided?',
    howText:
      'A secret seed was fixed before anyone voted. If a draw decides, the seed and the odds give the game. The seed is shown after the draw, and this hash lets you check that it is the same one: {hash}',
  },

  pick: {
    playing: { mine: 'You are playing {game}', others: 'They are playing {game}' },
    /** Ahead of the evening. */
    willPlay: { mine: 'You will play {game}', others: 'They will play {game}' },
    /** Of a past night. */
    picked: { mine: 'You picked {game}', others: 'They picked {game}' },
    drawing: 'Drawing…',
    byVotes: 'It has the best score.',
    byDraw: 'It was drawn.',
    drawnAgain: 'Drawn again: {reason}',
    drawnAgainBy: 'Drawn again by {name}: {reason}',
    ready: 'Who is ready',
    /** In its place, ahead of the evening. */
    owners: 'Who owns it',
    owning: 'Owns it',
    inGame: 'In the game now',
    online: 'Online',
    away: 'Away',
    offline: 'Offline',
    otherGame: 'Playing {game}',
    lacking: 'Does not own it',
    unknown: 'Not known whether they own it',
    claimed: 'Says they own it',
    /** Of me. */
    mine: {
      owning: 'You own it',
      lacking: 'You do not own it',
      unknown: 'Not known whether you own it',
      claimed: 'You say you own it',
    },
    free: 'Free to play',
    launch: 'Launch',
    install: 'Install',
    store: 'Store page',
    again: 'Draw again',
    drawingAgain: 'Drawing…',
    againTitle: 'Draw again?',
    againText: 'The games drawn so far are left out. Everyone sees your reason.',
    drawnOut: {
      best: 'All games with the best score were drawn. This one is among the others.',
      chance: 'All games that had a chance were drawn. This one is among the others.',
    },
    reason: 'Reason',
    againFailed: 'Failed to draw again.',
    nothingLeft: 'No other game is left to draw.',
    draws: 'How it was decided',
    number: 'Draw {number}: {game}',
    votes: 'Best score: {game}',
    /** @param ago such as '5 minutes ago' */
    drawnBy: 'by {name} {ago}',
    because: 'Reason: {reason}',
    check: 'Check the draw',
  },

  nearMisses: {
    title: 'Nearly',
    explained: 'Games for several players that one or two do not own.',
    lacking: 'Missing for {names}',
    free: 'Free to play',
    store: 'Store page',
  },

  check: {
    title: 'Check the draw',
    back: 'Back to the game night',
    explained:
      'Before anyone voted, the server fixed a secret seed and showed its hash. After the draw it shows the seed. Your browser now computes both again: that the seed belongs to that hash, and which game it gives with the odds shown.',
    none: 'Nothing was drawn in this game night, so there is nothing to check.',
    hash: 'Hash shown before the vote',
    seed: 'Seed shown after the draw',
    hashMatches: 'The seed belongs to the hash.',
    hashDiffers: 'The seed does NOT belong to the hash.',
    matches: 'The seed gives {game}. This is the game that was drawn.',
    differs: 'The seed gives {game}. This is NOT the game that was drawn.',
    impossible: 'This draw cannot be computed from what is shown.',
    signed: 'What was signed',
    how: 'How it works',
    steps: [
      'The hash is the seed, hashed with SHA-256 once for each draw made so far, and then on to the number shown before the vote.',
      'The signed text names the night, the number of the draw, and each game with its weight.',
      'HMAC-SHA256 of that text with the seed is read as one large number; its remainder by the sum of the weights says which game it is.',
    ],
    byVotes: 'It had the best score, so nothing was drawn.',
  },

  /** What changed while one looks, for the status line. */
  changed: {
    answers: {
      in: '{name} is in',
      maybe: '{name} may come',
      out: '{name} is out',
    },
    here: '{name} is here now',
    left: '{name} is no longer part of this night',
    voted: '{name} has voted',
    host: '{name} is the host now',
    time: 'The time has changed',
    cancelled: 'The game night was cancelled',
    over: 'The game night is over',
    tied: 'Voting has ended, a draw decides',
    reopened: 'Voting is open again',
    pick: 'The pick is {game}',
    more: '{changes}, and {count} more',
  },
} as const

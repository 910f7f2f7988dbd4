/** Notifications on a user's devices (PUSH-4 to PUSH-8). */
export const notifications = {
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
  vote: 'The vote is on, and you have not voted yet.',
  picked: 'You play {game}.',
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
    vote: 'A vote is on, and you have not voted yet.',
    picked: 'A game is picked.',
    upcoming: 'A game night is coming up: {when}',
    upcomingUnanswered: 'Are you in? You have not answered a game night yet: {when}',
    starting:
      '{minutes, plural, one {A game night starts in 1 minute.} other {A game night starts in # minutes.}}',
    startingUnanswered:
      '{minutes, plural, one {Are you in? A game night starts in 1 minute, and you have not answered yet.} other {Are you in? A game night starts in # minutes, and you have not answered yet.}}',
  },
} as const

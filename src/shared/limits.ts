/** The limits that browser and server share. */

/** Syncs a user may start in any 24 hours (LIM-2). */
export const SYNCS_PER_DAY = 10
/** Window of {@link SYNCS_PER_DAY}, in milliseconds. */
export const SYNC_WINDOW_MS = 24 * 60 * 60 * 1000

/**
 * Failed syncs of a user in any 10 minutes. They do not count towards the daily limit, but each sends requests to
 * Steam, which blocks servers that send too many (LIM-28, PLAT-2).
 */
export const FAILED_SYNCS_MAX = 15
export const FAILED_SYNCS_WINDOW_MS = 10 * 60 * 1000
/** Sessions of a user (LIM-14); another one ends the one that was unused for longest. */
export const SESSIONS_MAX = 50
/** Months of playtime that are stored, and games listed of each (SYNC-22). */
export const PLAYTIME_HISTORY_MONTHS = 24
export const PLAYTIME_HISTORY_GAMES = 5
/** Games that a user may hide from everyone else (LIM-43). */
export const HIDDEN_GAMES_MAX = 1000
/** Games that a member wants to play with a group (WISH-1). */
export const WISHES_MAX = 100
/** Games of a user's Steam wishlist that are stored, and games of wishlists that a group's list has (WISH-4). */
export const WISHLIST_MAX = 1000
export const WANTED_FROM_WISHLISTS_MAX = 100
/** Games that a user owns elsewhere (LIM-50). */
export const ELSEWHERE_MAX = 500
/** Games that are not on Steam of a group, and the lengths of their names and links (API-56). */
export const ADDED_GAMES_MAX = 100
export const ADDED_GAME_NAME_MAX = 100
export const ADDED_GAME_LINK_MAX = 500
/** More games, or friends, in a response of Steam are malformed: the largest libraries have half as many (PLAT-18). */
export const LIBRARY_GAMES_MAX = 60_000
export const STEAM_FRIENDS_MAX = 2_000

export const GROUP_NAME_MAX = 100
export const GROUP_MEMBERS_MAX = 100
/** Groups that a user may own, and be a member of, joined or not (LIM-10). */
export const GROUPS_OWNED_MAX = 100
export const GROUP_MEMBERSHIPS_MAX = 500
/** Memberships of a user that they have not joined, from one adder (LIM-10). */
export const INVITATIONS_FROM_ONE_MAX = 100
/** Near misses of a group: how many members may lack a game, and how many games are sent (API-44). */
export const NEAR_MISS_LACKING_MAX = 2
export const NEAR_MISSES_MAX = 100
/** Games whose number of players a group may have corrected, and the largest number (LIM-50). */
export const CORRECTIONS_PER_GROUP = 500
export const PLAYERS_MAX = 999
/**
 * Texts of a game night: its title, a message with an answer, the reason of another draw (NIGHT-2, NIGHT-6, NIGHT-17).
 */
export const NIGHT_TITLE_MAX = 80
export const NIGHT_WORD_MAX = 140
/** Games at stake that the page of a night's link names (NIGHT-52). */
export const INVITATION_GAMES_MAX = 3
export const REDRAW_REASON_MAX = 200
/** Players of a night that is not a group's (LIM-46). */
export const NIGHT_PLAYERS_MAX = 32
/** How often a user who left a night, or was removed from it, can be asked to it again in 24 hours (LIM-48). */
export const NIGHT_ASKED_AGAIN_MAX = 2
/**
 * Open nights of a group, nights that a user hosts and that are not past, and nights a user may start in 24 hours
 * (LIM-46).
 */
export const OPEN_NIGHTS_PER_GROUP = 5
export const NIGHTS_HOSTED_MAX = 20
export const NIGHT_STARTS_PER_DAY = 50
/** How long before now, and how far ahead, a night may start, in milliseconds (NIGHT-2). */
export const NIGHT_START_PAST_MS = 5 * 60 * 1000
export const NIGHT_START_AHEAD_MS = 366 * 24 * 60 * 60 * 1000
/** Times that may be proposed for a night (LIM-46). */
export const NIGHT_TIMES_MIN = 2
export const NIGHT_TIMES_MAX = 12
/** Repeating nights that a user hosts, and that a group has (LIM-46). */
export const SERIES_HOSTED_MAX = 5
export const SERIES_PER_GROUP = 5
/** How long before its start the next night of a series is created (SERIES-3). */
export const SERIES_AHEAD_MS = 6 * 24 * 60 * 60 * 1000
/** A night without a pick is over this long after its start (NIGHT-5). */
export const NIGHT_LENGTH_MS = 12 * 60 * 60 * 1000
/** How long after its start, or after the vote has ended, a vote that picked a game is reopened (NIGHT-126). */
export const REOPEN_VOTE_MS = 60 * 60 * 1000
/** How long the link of a group is valid, in milliseconds (NIGHT-50). */
export const GROUP_INVITE_MS = 14 * 24 * 60 * 60 * 1000
/** Past nights in a list (NIGHT-12). */
export const PAST_NIGHTS_LISTED = 50
/** Weeks after which a pick no longer counts against a game (NIGHT-22). */
export const REST_WEEKS = 4
/** Games of a shortlist and its near misses (NIGHT-20). */
export const SHORTLIST_MAX = 24
export const NIGHT_NEAR_MISSES_MAX = 12
/** Marks in a vote: those on the list, and those that wait for their games to come back (NIGHT-124). */
export const NIGHT_MARKS_MAX = 100
/** Messages to a webhook or a device in any hour, and webhooks a user may set in 24 hours (NIGHT-72, PUSH-10). */
export const MESSAGES_PER_HOUR = 30
export const WEBHOOKS_SET_PER_DAY = 20
export const WEBHOOK_URL_MAX = 2048
/** Devices of a user that are notified; one more replaces the oldest (PUSH-10). */
export const PUSH_SUBSCRIPTIONS_MAX = 10
/** Devices that a user may add in 24 hours. */
export const PUSH_SUBSCRIPTIONS_PER_DAY = 30
export const PUSH_ENDPOINT_MAX = 2048
/**
 * How long before its start players are reminded of a night, in milliseconds: twice, if the start is chosen so long ahead
 * (PUSH-6).
 */
export const REMINDER_MS = 30 * 60 * 1000
export const DAY_REMINDER_MS = 24 * 60 * 60 * 1000
export const DAY_REMINDER_AHEAD_MS = 25 * 60 * 60 * 1000
/** Reports of groups that a user may make in 24 hours, and the length of their reasons (OPER-13). */
export const REPORTS_PER_DAY = 10
export const REPORT_REASON_MAX = 300
/** Length of the reason of what an operator does, and ids in the list of who may sign in (OPER-7, OPER-17). */
export const OPERATOR_REASON_MAX = 300
export const SIGN_IN_LIST_MAX = 1000
/** Rows of the operator's lists: blocked accounts, reported groups, entries of the log on one page. */
export const OPERATOR_LIST_MAX = 50
/** Players whose libraries are looked at for the groups on a game's page (API-50). */
export const GAME_PAGE_PLAYERS_MAX = 1000
/** How far back what happened lately goes, entries of one page, and new games of a sync beyond which none is news (LATELY-1). */
export const LATELY_MS = 30 * 24 * 60 * 60 * 1000
/** Between two messages of the week to a webhook (LATELY-4). */
export const WEEK_MS = 7 * 24 * 60 * 60 * 1000
export const LATELY_LISTED = 20
export const LATELY_GOT_MAX = 20
/** Most ids in one `sync_group_games` (PERM-15). */
export const GROUP_SYNC_MAX_IDS = 100
export const PICTURE_URL_MAX = 2048
/** Largest picture that is accepted (LIM-6). */
export const PICTURE_MAX_MB = 5
export const PICTURE_MAX_MEGAPIXELS = 40
export const PICTURE_MAX_BYTES = PICTURE_MAX_MB * 2 ** 20
export const PICTURE_MAX_PIXELS = PICTURE_MAX_MEGAPIXELS * 1e6
/** Changes of group pictures by a user in any 24 hours, and concurrent uploads (LIM-11, LIM-27). */
export const PICTURE_CHANGES_PER_DAY = 20
export const PICTURE_UPLOADS_AT_ONCE = 2
/** Uploads that a user may start in any hour, refused ones included (LIM-11). */
export const PICTURE_UPLOADS_PER_HOUR = 100
/** Largest width and height of a stored picture, in pixels. */
export const PICTURE_MAX_SIDE = 512
/** Picture formats that are accepted, detected by content. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** Excluded from friends' top games, by the server and by the page (DASH-21). */
export const EXCLUDED_TOP_GAME_APPID = 431960
/** Rows of `friends_top_games` (API-16). */
export const FRIENDS_TOP_GAMES_ROWS = 5

/** Numbers of the dashboard's cards (DASH-3 to DASH-24). */
export const DASHBOARD = {
  topGames: 3,
  chartGames: 5,
  friends: 5,
  groups: 3,
  comparisonRows: 8,
  friendsTopGamesShown: 2,
  friendsTopGamesEmptyCheck: 3,
  gaugeMaxHours: 1000,
  chartAnimationMs: 1000,
  gaugeAnimationMs: 1100,
  activityGroups: 2,
  activityFriends: 1,
} as const

/** Suggestions of Add Member, with an empty search and while typing (GPAGE-5). */
export const MEMBER_SUGGESTIONS = 4
export const MEMBER_SUGGESTIONS_TYPING = 8

/**
 * Most games in a list with the playtime of `players` players; the first of its order are sent (LIM-23). It keeps a response
 * below about 5 MB: a playtime takes about 25 bytes and the other fields of a game as much as fourteen playtimes. 10,000
 * common games of 100 people would be 27 MB.
 */
export function gameListMax(players: number): number {
  return Math.floor(PLAYTIMES_MAX / (players + 14))
}
const PLAYTIMES_MAX = 180_000

/** How often a public demo is reset (DEMO-10). */
export const DEMO_RESET_MS = 4 * 60 * 60_000

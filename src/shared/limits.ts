/** The limits that browser and server share, each in one place (LIM-1). */

/** Syncs a person may start in any 24 hours (LIM-2). */
export const SYNCS_PER_DAY = 10
/** Window of {@link SYNCS_PER_DAY}, in milliseconds. */
export const SYNC_WINDOW_MS = 24 * 60 * 60 * 1000

/**
 * Syncs of a person that may fail in any 10 minutes; failed ones are not among the ten, but each asks the platform,
 * which blocks servers that ask too much (LIM-28, PLAT-2).
 */
export const FAILED_SYNCS_MAX = 15
export const FAILED_SYNCS_WINDOW_MS = 10 * 60 * 1000
/** Sessions of a person (LIM-14); a further one ends the one that was unused longest. */
export const SESSIONS_MAX = 50
/**
 * Sign-ins of an account in any 10 minutes (LIM-38): more than it may have sessions. The first of them read its profile
 * from the platform (LIM-39).
 */
export const SIGN_INS_MAX = 60
export const SIGN_INS_READING_PROFILE = 5
/** Window of both, in milliseconds. */
export const SIGN_INS_WINDOW_MS = 10 * 60 * 1000

export const GROUP_NAME_MAX = 100
export const GROUP_MEMBERS_MAX = 100
/** Groups that one person owns, and has joined (LIM-10). */
export const GROUPS_OWNED_MAX = 100
export const GROUP_MEMBERSHIPS_MAX = 500
/** Memberships of one person that they have not joined: of all adders together, and of one (LIM-36). */
export const INVITATIONS_MAX = 100
export const INVITATIONS_FROM_ONE_MAX = 20
/** Groups a person left, and people who left a group, that a list names: the latest (LIM-37). */
export const LEFT_GROUPS_LISTED = 50
export const FORMER_MEMBERS_LISTED = 200
/** Ids that one `sync_group_games` takes (PERM-16). */
export const GROUP_SYNC_MAX_IDS = 100
export const PICTURE_URL_MAX = 2048
/** Largest picture taken, in bytes; LIM-7. */
export const PICTURE_MAX_BYTES = 5 * 1024 * 1024
export const PICTURE_MAX_PIXELS = 40_000_000
/** Changes of group pictures that a person may make in any 24 hours, and uploads at once (LIM-11, LIM-12). */
export const PICTURE_CHANGES_PER_DAY = 20
export const PICTURE_UPLOADS_AT_ONCE = 2
/** Uploads that a person may begin in any hour, those that are refused included (LIM-40). */
export const PICTURE_UPLOADS_PER_HOUR = 30
/** Side of the square that a stored picture fits in, in pixels. */
export const PICTURE_MAX_SIDE = 512
/** Picture formats taken, by their content. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** Left out of friends' top games, by the server and by the page (DASH-21). */
export const EXCLUDED_TOP_GAME_APPID = 431960
/** Rows of `friends_top_games` (API-17). */
export const FRIENDS_TOP_GAMES_ROWS = 5

/** DASH-3 to DASH-24: what the dashboard's cards show. */
export const DASHBOARD = {
  topGames: 3,
  chartGames: 5,
  chartNameLength: 12,
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

/** GPAGE-6: suggestions of Add Member, untouched and while typing. */
export const MEMBER_SUGGESTIONS = 4
export const MEMBER_SUGGESTIONS_TYPING = 8

/**
 * How many games a list with figures of several people carries, the first of its order: a hundred people with ten
 * thousand common games would be 27 MB. A figure takes some 25 bytes, what a game says of itself as much as ten of
 * them, so that an answer stays below some 5 MB. The header x-total-count says how many games there are (LIM-23).
 */
export function gamesCarried(people: number): number {
  return Math.floor(FIGURES_CARRIED / (people + 10))
}
const FIGURES_CARRIED = 180_000

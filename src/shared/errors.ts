import {
  CORRECTIONS_PER_GROUP,
  GROUP_MEMBERS_MAX,
  GROUP_MEMBERSHIPS_MAX,
  NIGHT_PLAYERS_MAX,
  NIGHT_STARTS_PER_DAY,
  PICTURE_CHANGES_PER_DAY,
  PICTURE_MAX_BYTES,
  PICTURE_MAX_PIXELS,
  REPORTS_PER_DAY,
  WEBHOOKS_SET_PER_DAY,
} from './limits.ts'
import type { Text } from './texts/types.ts'

/** Every expected failure: its status and its text for people. A reason may make the text more particular. */
export const errorCatalogue = {
  invalid_input: { status: 400, text: 'The request is not valid.' },
  invalid_json: { status: 400, text: 'The body is not valid JSON.' },
  group_name_required: { status: 400, text: 'Group name required.' },
  invalid_picture_url: { status: 400, text: 'The picture URL must be an http or https URL.' },
  invalid_webhook_url: { status: 400, text: 'The webhook URL must be an https URL.' },
  invalid_image: { status: 400, text: 'The file is not a png, jpeg, webp or gif image.' },
  not_signed_in: { status: 401, text: 'Sign in first.' },
  forbidden: { status: 403, text: 'You don’t have permission to do that.' },
  not_connected: { status: 403, text: 'You are not connected with this player.' },
  not_group_owner: { status: 403, text: 'Only the owner of the group may do that.' },
  account_blocked: { status: 403, text: 'This account is blocked here. Write to the operator.' },
  not_invited: { status: 403, text: 'Signing in here needs an invitation.' },
  not_listed: { status: 403, text: 'Only people on the operator’s list can sign in here.' },
  not_night_host: {
    status: 403,
    text: 'Only the host of this game night, or the owner of its group, may do that.',
  },
  not_found: { status: 404, text: 'Not found.' },
  game_not_found: { status: 404, text: 'Nobody here has this game.' },
  group_not_found: { status: 404, text: 'Group not found.' },
  member_not_found: { status: 404, text: 'This player is not a member of the group.' },
  former_member_not_found: { status: 404, text: 'This player has not left the group.' },
  night_not_found: { status: 404, text: 'Game night not found.' },
  night_person_not_found: { status: 404, text: 'This player is not part of this game night.' },
  webhook_not_found: { status: 404, text: 'There is no webhook.' },
  invite_not_found: { status: 404, text: 'This invitation is no longer valid. Ask for a new link.' },
  already_reported: { status: 409, text: 'You have already reported this group.' },
  is_operator: { status: 409, text: 'Operators can’t be blocked or deleted here.' },
  owner_cannot_be_removed: { status: 409, text: 'The owner cannot be removed from the group.' },
  member_has_not_joined: { status: 409, text: 'This member has not joined the group yet.' },
  has_left_group: { status: 409, text: 'This player has left this group.' },
  removed_from_group: {
    status: 409,
    text: 'This player was removed from this group. Only its owner can add them again.',
  },
  too_many_invitations: { status: 409, text: 'This player has not answered your invitations yet.' },
  too_many_groups: { status: 409, text: `Nobody can be in more than ${GROUP_MEMBERSHIPS_MAX} groups.` },
  too_many_hidden_games: { status: 409, text: 'Nobody can hide that many games.' },
  group_full: { status: 409, text: `A group has at most ${GROUP_MEMBERS_MAX} members.` },
  too_many_corrections: { status: 409, text: `A group can correct ${CORRECTIONS_PER_GROUP} games.` },
  night_has_ended: { status: 409, text: 'This game night has already ended.' },
  night_has_no_date: { status: 409, text: 'This game night has no date yet.' },
  date_is_found: { status: 409, text: 'The date of this game night has been found.' },
  time_has_passed: { status: 409, text: 'This time has passed.' },
  vote_has_begun: { status: 409, text: 'The vote has already begun.' },
  vote_is_open: { status: 409, text: 'The vote has not ended yet.' },
  already_drawn: { status: 409, text: 'A game was already picked. Use “Draw again”.' },
  not_in_night: { status: 409, text: 'Say that you’re in first.' },
  too_many_elsewhere: { status: 409, text: 'You can mark at most 500 games as owned elsewhere.' },
  no_games_left: { status: 409, text: 'There are no games left to pick from.' },
  too_many_nights: { status: 409, text: 'There are too many open game nights.' },
  too_many_series: { status: 409, text: 'There are too many repeating game nights.' },
  asked_too_often: { status: 409, text: 'This player has been asked often enough to this game night.' },
  night_full: { status: 409, text: `A game night has at most ${NIGHT_PLAYERS_MAX} people.` },
  sharing_is_off: { status: 409, text: 'This group does not share its game nights.' },
  too_slow: { status: 408, text: 'The upload took too long. Try again with a better connection.' },
  too_large: { status: 413, text: 'The request is too large.' },
  image_too_large: {
    status: 413,
    text: `The picture is larger than ${PICTURE_MAX_BYTES / 2 ** 20} MB or ${PICTURE_MAX_PIXELS / 1e6} megapixels.`,
  },
  unsupported_media_type: { status: 415, text: 'Unsupported content type.' },
  sync_limit_reached: { status: 429, text: 'Daily sync limit reached.' },
  night_limit_reached: {
    status: 429,
    text: `You can start ${NIGHT_STARTS_PER_DAY} game nights in 24 hours. Try again later.`,
  },
  picture_limit_reached: {
    status: 429,
    text: `A picture can be changed ${PICTURE_CHANGES_PER_DAY} times in 24 hours. Try again later.`,
  },
  webhook_limit_reached: {
    status: 429,
    text: `Webhooks can be set ${WEBHOOKS_SET_PER_DAY} times in 24 hours. Try again later.`,
  },
  report_limit_reached: {
    status: 429,
    text: `You can report ${REPORTS_PER_DAY} groups in 24 hours. Try again later.`,
  },
  message_limit_reached: {
    status: 429,
    text: 'Too many messages have been sent. Try again later.',
  },
  too_many_requests: { status: 429, text: 'Too many requests. Try again in a moment.' },
  steam_rate_limited: { status: 429, text: 'Steam is limiting requests. Try again later.' },
  internal: { status: 500, text: 'Something went wrong on our side.' },
  steam_unavailable: { status: 502, text: 'Steam did not answer.' },
  steam_key_refused: {
    status: 503,
    text: 'Steam rejected this server’s API key. Contact the operator.',
  },
  unavailable: { status: 503, text: 'The server cannot reach its database. Try again in a moment.' },
  busy: { status: 503, text: 'The server is busy. Try again in a moment.' },
  steam_timeout: { status: 504, text: 'Steam took too long to answer.' },
} as const satisfies Record<string, { status: number; text: string }>

export type ErrorCode = keyof typeof errorCatalogue

/** What a code leaves open: texts more particular than the code's, with the values that come beside them (ERR-1). */
export const reasonCatalogue = {
  picture_url_missing: 'The picture URL is missing.',
  picture_url_too_long: 'The picture URL must have at most {max} characters.',
  picture_url_characters: 'The picture URL must not contain blanks, backslashes or control characters.',
  picture_url_has_user: 'The picture URL must not contain a user name or password.',
  picture_url_has_steps: 'The picture URL must not contain /../ or /./ steps.',
  picture_url_unreachable: 'The picture URL cannot be reached.',
  picture_url_not_public: 'The picture URL must be on the public internet.',
  picture_url_too_slow: 'The picture URL took too long to respond.',
  picture_url_redirects: 'The picture URL redirects too often.',
  picture_is_svg: 'The picture must be a png, jpeg, webp or gif; svg is not accepted.',
  no_such_picture: 'There is no picture at this address.',
  pictures_per_hour: 'You have uploaded {count} pictures within an hour. Try again later.',
  own_uploads_at_once: 'Two of your pictures are being uploaded already. Try again in a moment.',
  uploads_of_network: 'Several pictures are being uploaded from your network already. Try again in a moment.',
  webhook_url_not_https: 'The webhook URL must be an https URL.',
  webhook_url_has_user: 'The webhook URL must not contain a user name or password.',
  webhook_url_not_public: 'The webhook URL must be on the public internet.',
  webhook_url_host_not_found: 'The host of the webhook URL cannot be found.',
  endpoint_not_https: 'The endpoint must be an https URL.',
  endpoint_has_user: 'The endpoint must not contain a user name or password.',
  endpoint_not_public: 'The endpoint must be on the public internet.',
  endpoint_host_not_found: 'The host of the endpoint cannot be found.',
  messages_per_hour: 'A webhook gets at most {count} messages in an hour. Try again later.',
  devices_per_day: 'You can add {count} devices in a day. Try again tomorrow.',
  requests_at_once: 'Too many requests at once. Try again in a moment.',
  large_requests_at_once: 'Too many large requests at once. Try again in a moment.',
  pages_open: 'Too many pages are open. Close one first.',
  steam_fails_too_often: 'Steam has failed too often in the last minutes. Try again later.',
  steam_refuses: 'Steam is refusing requests from this server for now.',
  library_not_shown: 'This player does not show their library here.',
  only_for_yourself: 'You may do that only for yourself.',
  groups_only_as_yourself: 'You can create groups only as yourself.',
  join_first: 'Join the group first.',
  only_owner_removes: 'Only the owner of the group may remove other members.',
  has_not_joined: '{name} has not joined this group yet.',
  cannot_own_groups: '{name} cannot own groups at the moment.',
  has_left: '{name} has left this group.',
  was_removed: '{name} was removed from this group. Only its owner can add them again.',
  invitations_unanswered: '{name} has not answered {count} of your invitations yet.',
  you_are_in_groups: 'You are already in {count} groups, which is the maximum. Leave or decline one first.',
  is_in_groups: '{name} is in too many groups already.',
  you_own_groups: 'You own {count} groups already, which is the maximum.',
  owns_groups: '{name} owns {count} groups already, which is the maximum.',
  corrections_full: 'A group can correct {count} games. Take another correction back first.',
  hidden_games_full: 'You already hide {count, number} games, which is the maximum.',
  owner_stays_in_nights: 'The owner of the group cannot be removed from its game nights.',
  night_is_of_group: 'This game night is a group’s. Add people to the group, or send them a link.',
  night_is_full: 'This game night is full.',
  you_host_nights: 'You already host {count} game nights that are not past, which is the maximum.',
  group_has_nights: 'This group has {count} open game nights, which is the maximum.',
  you_host_series: 'You already host {count} game nights that repeat, which is the maximum.',
  group_has_series: 'This group has {count} game nights that repeat, which is the maximum.',
  does_not_repeat: 'This game night does not repeat.',
  only_one_time_repeats: 'Only a game night that is planned at one time can repeat.',
  only_members_left_out: 'Only other members of the group can be left out.',
  cannot_be_asked: '{name} cannot be asked at the moment.',
  asked_often_enough: '{name} has been asked often enough to this game night.',
  starts_in_past: 'A game night cannot start in the past.',
  starts_too_late: 'A game night can be planned a year ahead at most.',
  take_proposed_time: 'Take one of the proposed times instead.',
  time_not_proposed: 'This time is not one of those proposed.',
  times_repeated: 'Each time can be proposed once.',
  times_have_passed: 'These times have passed.',
  deadline_too_late: 'The deadline must be before the last of the times.',
  vote_has_ended: 'The vote has already ended.',
  reopens_for_an_hour: 'The vote can be reopened for an hour. Draw again instead.',
  vote_end_not_ahead: 'The vote can end by itself between now and the end of the night.',
  somebody_lacks_each: 'Somebody who has not said no lacks every game.',
  all_games_too_small: 'Every game is for fewer people than are in.',
  nothing_picked: 'Nothing has been picked yet.',
  only_those_in_share: 'Only people who are in can share the pick.',
  session_not_found: 'This session does not exist any more.',
  account_not_found: 'This person has no account here.',
  only_handover_tokens: 'Only a hand-over token can be swapped.',
  only_same_browser: 'Only the browser that signed in can swap its token.',
} as const satisfies Record<string, string>

export type Reason = keyof typeof reasonCatalogue

/** The placeholders of a reason's text; undefined where it has none. */
type ReasonValues<R extends Reason> =
  Text<(typeof reasonCatalogue)[R]> extends (values: infer Values) => string ? Values : undefined
/** A reason whose text has no placeholders. */
export type PlainReason = { [R in Reason]: ReasonValues<R> extends undefined ? R : never }[Reason]

/** A reason with its values. */
export type ReasonGiven =
  | { reason: PlainReason; values?: undefined }
  | { [R in Exclude<Reason, PlainReason>]: { reason: R; values: ReasonValues<R> } }[Exclude<
      Reason,
      PlainReason
    >]

/** The body of every failed call: `error` is text for people, `field` names the input at fault. */
export type ErrorBody = {
  error: string
  code: ErrorCode
  field?: string
  reason?: Reason
  values?: Record<string, string | number>
  request_id?: string
}

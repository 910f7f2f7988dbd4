import type { ErrorTexts } from 'virtual:texts'

/** The status of every expected failure; `errors.json` of a language has their texts. */
export const errorStatuses = {
  invalid_input: 400,
  invalid_json: 400,
  group_name_required: 400,
  invalid_picture_url: 400,
  invalid_webhook_url: 400,
  invalid_image: 400,
  not_signed_in: 401,
  forbidden: 403,
  not_connected: 403,
  not_group_owner: 403,
  account_blocked: 403,
  not_invited: 403,
  not_listed: 403,
  not_night_host: 403,
  not_found: 404,
  game_not_found: 404,
  group_not_found: 404,
  member_not_found: 404,
  former_member_not_found: 404,
  night_not_found: 404,
  night_person_not_found: 404,
  webhook_not_found: 404,
  invite_not_found: 404,
  already_reported: 409,
  is_operator: 409,
  owner_cannot_be_removed: 409,
  member_has_not_joined: 409,
  has_left_group: 409,
  removed_from_group: 409,
  too_many_invitations: 409,
  too_many_groups: 409,
  too_many_hidden_games: 409,
  group_full: 409,
  too_many_corrections: 409,
  night_has_ended: 409,
  night_has_no_date: 409,
  date_is_found: 409,
  time_has_passed: 409,
  vote_has_begun: 409,
  vote_is_open: 409,
  already_drawn: 409,
  not_in_night: 409,
  too_many_elsewhere: 409,
  too_many_wishes: 409,
  too_many_added_games: 409,
  no_games_left: 409,
  too_many_nights: 409,
  too_many_series: 409,
  asked_too_often: 409,
  night_full: 409,
  sharing_is_off: 409,
  too_slow: 408,
  too_large: 413,
  image_too_large: 413,
  unsupported_media_type: 415,
  sync_limit_reached: 429,
  night_limit_reached: 429,
  picture_limit_reached: 429,
  webhook_limit_reached: 429,
  report_limit_reached: 429,
  message_limit_reached: 429,
  too_many_requests: 429,
  steam_rate_limited: 429,
  internal: 500,
  steam_unavailable: 502,
  steam_key_refused: 503,
  unavailable: 503,
  busy: 503,
  steam_timeout: 504,
} as const satisfies Record<keyof ErrorTexts['codes'], number>

export type ErrorCode = keyof typeof errorStatuses

type Reasons = ErrorTexts['reasons']
/** What a code leaves open: texts more particular than the code's, with the values that come beside them (ERR-1). */
export type Reason = keyof Reasons
/** The placeholders of a reason's text; undefined where it has none. */
type ReasonValues<R extends Reason> = Reasons[R] extends (values: infer Values) => string ? Values : undefined
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

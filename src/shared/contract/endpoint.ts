/**
 * One endpoint of the contract: method, path, access rule, input and response. The server mounts it
 * (`server/http/routes.ts`), the pages call it (`web/data/http.ts`), tests and OpenAPI read it.
 */
import { z } from 'zod'

/**
 * Access rules; each name is a predicate in `server/features/access.ts`, so an endpoint without a rule does
 * not compile.
 */
export type Access =
  | 'signed_in'
  | 'self'
  | 'self_or_connected'
  | 'self_with_connected'
  | 'owner_is_self'
  | 'group_member'
  | 'group_member_or_left'
  | 'group_owner'
  | 'group_member_or_every_id_connected'
  | 'night_player'
  | 'night_leader'
  | 'series_leader'
  | 'operator'
  /** No session is needed, and one that is sent is ignored. */
  | 'anyone'

type Shape = z.ZodObject
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Endpoint<
  Params extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  M extends Method = Method,
  Path extends string = string,
  Rule extends Access = Access,
> = {
  method: M
  /** With `:name` for each key of `params`. */
  path: Path
  summary: string
  access: Rule
  /**
   * Reads many libraries or may respond with megabytes, so the number of concurrent requests per user is limited
   * (LIM-22). Not for endpoints that wait for Steam: slow responses would block the user's other requests.
   */
  heavy?: true
  /** Responds with server-sent events until the client or the server ends it (LIVE-1). Only for GET. */
  stream?: true
  /** Also accepts a hand-over token that was already exchanged, while the exchange may be repeated (SIGN-17). */
  afterSwap?: true
  /** Status of success. */
  status: 200 | 201 | 204
  params: Params
  body: Body
  /** Also accepts multipart with one image in this field (API-26: a group's picture). */
  upload?: 'picture'
  response: Response
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>
export type BodyOf<E extends Endpoint> = z.output<E['body']>
/** Input of the client; differs from {@link ParamsOf} where the schema turns text into a number. */
export type ParamsInput<E extends Endpoint> = { [K in keyof z.output<E['params']>]: string | number }
export type BodyInput<E extends Endpoint> = z.input<E['body']>
export type ResponseOf<E extends Endpoint> = z.output<E['response']>

const nothing = z.object({})
const none = z.undefined()

/**
 * Declares an endpoint with its exact types, including method and path, by which the pages name it
 * (`web/data/http.ts`). It has no parameters, no body and no response where none is named; without a response the status
 * is 204.
 */
export function endpoint<
  M extends Method,
  Path extends string,
  Rule extends Access,
  Params extends Shape = typeof nothing,
  Body extends z.ZodType = typeof none,
  Response extends z.ZodType = typeof none,
>(
  definition: Omit<Endpoint, 'method' | 'path' | 'access' | 'status' | 'params' | 'body' | 'response'> & {
    method: M
    path: Path
    access: Rule
    status?: 200 | 201
    params?: Params
    body?: Body
    response?: Response
  },
): Endpoint<Params, Body, Response, M, Path, Rule> {
  const status = definition.response ? 200 : 204
  return { params: nothing, body: none, response: none, status, ...definition } as Endpoint<
    Params,
    Body,
    Response,
    M,
    Path,
    Rule
  >
}

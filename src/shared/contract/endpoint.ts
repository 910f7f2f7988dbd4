/**
 * One endpoint of the contract: method, path, who may use it, input and response. The server mounts it
 * (`server/http/fastify-routes.ts`), the page calls it (`web/data/http.ts`), tests and OpenAPI read it.
 */
import type { z } from 'zod'

/**
 * Who may make a call (PERM-1); each name is a predicate in `server/features/access.ts`,
 * so a call without a rule does not compile.
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
  | 'every_id_connected_or_in_my_group'

type Shape = z.ZodObject
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Endpoint<
  Params extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  M extends Method = Method,
  Path extends string = string,
> = {
  method: M
  /** With `:name` for each key of `params`. */
  path: Path
  summary: string
  access: Access
  /**
   * The response follows from the request and the database alone, not from the time or the platform: it may be sent
   * again, to the same person, until the database changes.
   */
  cacheable?: true
  /**
   * Reads many libraries or may respond with megabytes: one person's are worked on in turns (LIM-22). Not for calls
   * that wait for the platform: while it is slow they would hold up everything else of their person.
   */
  heavy?: true
  /** Also takes a hand-over token that was swapped already, for as long as the swap may be repeated. */
  afterSwap?: true
  /** Status of success; 200 unless said. */
  status?: 200 | 201 | 204
  params: Params
  body: Body
  /** Also takes multipart with one image in this field (API-26: a group's picture). */
  upload?: 'picture'
  response: Response
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>
export type BodyOf<E extends Endpoint> = z.output<E['body']>
/** What a caller writes; differs from {@link ParamsOf} where the schema turns text into a number. */
export type ParamsInput<E extends Endpoint> = { [K in keyof z.output<E['params']>]: string | number }
export type BodyInput<E extends Endpoint> = z.input<E['body']>
export type ResponseOf<E extends Endpoint> = z.output<E['response']>

/** Declares a call, keeping its exact types; method and path too, by which the pages name it (`web/data/http.ts`). */
export function endpoint<
  Params extends Shape,
  Body extends z.ZodType,
  Response extends z.ZodType,
  M extends Method,
  Path extends string,
>(call: Endpoint<Params, Body, Response, M, Path>): Endpoint<Params, Body, Response, M, Path> {
  return call
}

/**
 * The address of a call with its parameters filled in and percent-encoded.
 * @throws RangeError when a parameter of the path is missing
 */
export function pathOf(path: string, params: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new RangeError(`${path} needs the parameter ${name}`)
    return encodeURIComponent(String(value))
  })
}

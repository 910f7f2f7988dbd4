/** Addresses that users give, to which the server will send requests (NIGHT-67, PUSH-1). */
import type { ErrorCode } from '#shared/errors.ts'
import { AppError } from '../errors.ts'
import { checkPublic, hostWithPort, PublicWebError, type WebAccess } from '../pictures/public-request.ts'

/** How long checking an address waits for name servers. */
const CHECK_MS = 5_000

/**
 * A public https address, or one that the operator allows, in its normal form.
 * @param name of the address in the reasons of errors
 * @throws AppError of this code and field
 */
export async function checkedUrl(
  text: string,
  {
    web,
    name,
    code,
    field,
  }: { web: WebAccess; name: 'webhook_url' | 'endpoint'; code: ErrorCode; field: string },
): Promise<string> {
  const refused = (why: 'not_https' | 'has_user' | 'not_public' | 'host_not_found', cause?: Error) =>
    new AppError(code, { field, reason: `${name}_${why}`, cause })
  const url = URL.parse(text)
  const isAllowed = url !== null && web.allowed?.includes(hostWithPort(url)) === true
  const isWeb = url?.protocol === 'https:' || (isAllowed && url.protocol === 'http:')
  if (!isWeb || /[\s\\\p{Cc}\p{Cf}]/u.test(text)) throw refused('not_https')
  if (url.username || url.password) throw refused('has_user')
  url.hash = ''
  try {
    await checkPublic(url, AbortSignal.timeout(CHECK_MS), web)
  } catch (error) {
    if (!(error instanceof PublicWebError)) throw error
    throw refused(error.why === 'not_public' ? 'not_public' : 'host_not_found', error)
  }
  return url.href
}

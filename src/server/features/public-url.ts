/** Addresses that users give, to which the server will send requests (NIGHT-67, PUSH-2). */
import type { ErrorCode } from '#shared/errors.ts'
import { AppError } from '../errors.ts'
import { checkPublic, hostWithPort, PublicWebError, type WebAccess } from '../pictures/public-request.ts'

/** How long checking an address waits for name servers. */
const CHECK_MS = 5_000

/**
 * A public https address, or one that the operator allows, in its normal form.
 * @param name of the address in errors, such as 'webhook URL'
 * @throws AppError of this code and field
 */
export async function checkedUrl(
  text: string,
  { web, name, code, field }: { web: WebAccess; name: string; code: ErrorCode; field: string },
): Promise<string> {
  const refused = (why: string, cause?: Error) =>
    new AppError(code, { field, text: `The ${name} ${why}`, cause })
  const url = URL.parse(text)
  const isAllowed = url !== null && web.allowed?.includes(hostWithPort(url)) === true
  const isWeb = url?.protocol === 'https:' || (isAllowed && url.protocol === 'http:')
  if (!isWeb || /[\s\\\p{Cc}\p{Cf}]/u.test(text)) throw refused('must be an https URL.')
  if (url.username || url.password) throw refused('must not contain a user name or password.')
  url.hash = ''
  try {
    await checkPublic(url, AbortSignal.timeout(CHECK_MS), web)
  } catch (error) {
    if (!(error instanceof PublicWebError)) throw error
    if (error.why === 'not_public') throw refused('must be on the public internet.', error)
    throw new AppError(code, { field, text: `The host of the ${name} cannot be found.`, cause: error })
  }
  return url.href
}

/** An OpenID provider for tests, with assertions of it. */
import { answer, scriptedServer, type Script } from './scripted-server.ts'
import { verifyAssertion } from '../../src/server/steam/openid.ts'

export const NS = 'http://specs.openid.net/auth/2.0'
export const STATE = 'c3RhdGUtb2YtMTYtYnl0ZQ'
export const RETURN_TO = `https://games.example.org/auth/steam/return?state=${STATE}`
export const STEAM_ID = '76561197960265730'
export const NOW = Date.UTC(2025, 5, 1, 12, 0, 0)
export const NONCE = '2025-06-01T11:59:30ZrUXDT9sw/Qx8yxq2VR+76wkBXAw='
const SIG = 'uj0iEOi1A6+xjFAE/fapOhArZOFk='
export const VALID = `ns:${NS}\nis_valid:true\n`

export type Parameters = Record<string, string>

/** A provider that responds to check_authentication, and `verify` for assertions of it. */
export async function openidProvider(
  script: Script = (response) => answer(response, 200, VALID),
  timing: { tryMs?: number; totalMs?: number } = {},
) {
  const server = await scriptedServer(script)
  const openidUrl = `${server.url}/openid/login`
  const nonces = new Map<string, number>()
  const warnings: unknown[] = []

  /** The parameters of a valid assertion. */
  const valid = (): Parameters => ({
    state: STATE,
    'openid.ns': NS,
    'openid.mode': 'id_res',
    'openid.op_endpoint': openidUrl,
    'openid.claimed_id': `${server.url}/openid/id/${STEAM_ID}`,
    'openid.identity': `${server.url}/openid/id/${STEAM_ID}`,
    'openid.return_to': RETURN_TO,
    'openid.response_nonce': NONCE,
    'openid.assoc_handle': '1234567890',
    'openid.signed': 'signed,op_endpoint,claimed_id,identity,return_to,response_nonce,assoc_handle',
    'openid.sig': SIG,
  })
  const verify = (query: string | Parameters, expected: Partial<{ returnTo: string; now: number }> = {}) =>
    verifyAssertion({
      query: typeof query === 'string' ? query : new URLSearchParams(query).toString(),
      expected: { openidUrl, returnTo: RETURN_TO, now: NOW, ...expected },
      useNonce: async (nonce, expiresAt) => {
        if (nonces.has(nonce)) return false
        nonces.set(nonce, expiresAt)
        return true
      },
      log: { warn: (fields) => void warnings.push(fields) },
      timing: { delaysMs: [1, 1], ...timing },
    })
  return { ...server, openidUrl, nonces, warnings, valid, verify }
}

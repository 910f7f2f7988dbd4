/** Attacks on a demo: the simulator's pages at the product's own port (DEMO-6). */
import { expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { sendRequest } from './raw-http.ts'

const LOGIN = 'openid/login?openid.ns=x'
const API = 'ISteamUser/GetPlayerSummaries/v2/?key=test-key-0123456789ABCDEF&steamids=76561198000000001'
const SPELLINGS = [
  '/%73imulator/',
  '/%73%69%6d%75%6c%61%74%6f%72/',
  '/simulato%72/',
  '/simulator/%2e%2e/',
  '/simulator/..%2f',
  '/simulator/%2e%2e%2f',
  '/simulator/./',
  '/simulator//',
  '//simulator/',
  '/simulator/\\',
  '/simulator/@evil.example/',
  '/simulator/:80/',
  '/simulator/%00/',
  '/simulator/%/',
  '/SIMULATOR/',
  'http://evil.example/simulator/',
  'http://evil.example/%73imulator/',
  '/%73imulator/x?/simulator/',
  '/simulator/x?/simulator/',
]

test('DEMO-6: no spelling of a path causes a server error, or reaches the Web API or the controls', async () => {
  const app = await startTestApp({ demo: true, engine: 'sqlite' })
  await app.player()
  for (const spelling of SPELLINGS)
    for (const rest of [LOGIN, API, '_simulator/calls', '_simulator/players', '', '//evil.example/']) {
      for (const method of ['GET', 'HEAD', 'POST'] as const) {
        const target = `${spelling}${rest}`
        const headers = ['X-HTTP-Method-Override: POST', 'X-Original-URL: /_simulator/calls']
        const { status, body, headers: sent } = await sendRequest(app.address, `${method} ${target}`, headers)
        const shown = `${method} ${target}`
        expect([shown, status >= 400 && status < 500]).toEqual([shown, true])
        expect([shown, body]).not.toEqual([shown, expect.stringMatching(/personaname|"method"/)])
        expect([shown, sent.get('location')]).toEqual([shown, null])
      }
    }
})

/** Attacks on a demo: the simulator's pages at the product's own port (DEMO-7), and resets (DEMO-11). */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createGate } from '../../src/server/http/gate.ts'
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

test('DEMO-7: no spelling of a path causes a server error, or reaches the Web API or the controls', async () => {
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

/** A server whose requests wait at a gate until `release`, as during a reset; `served` counts those that passed. */
async function heldServer(options?: Parameters<typeof createGate>[0]) {
  const passed = { count: 0 }
  const gate = createGate(options)
  const server = createServer((request, response) =>
    gate.door(request, response, () => {
      passed.count++
      response.end()
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const reset = gate.runAlone(0, () => held)
  onTestFinished(async () => {
    release()
    await reset
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, port, passed, release: () => (release(), reset) }
}

test('DEMO-11: requests in a row on one connection do not fill the memory while a demo is reset', async () => {
  const { port, passed, release } = await heldServer()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000))
  await once(socket, 'close')
  await release()
  expect(passed.count).toBe(0)
})

test('DEMO-11: more requests than a server can hold are refused while a demo is reset', async () => {
  const { address, passed, release } = await heldServer({ waitingMax: 3 })
  const [waiting, refused] = [[], []] as [Promise<number>[], number[]]
  for (let nth = 0; nth < 5; nth++) {
    const sent = sendRequest(address, 'GET /').then(({ status }) => status)
    if (nth < 3) waiting.push(sent)
    // The first ones wait; each of these is answered at once.
    else refused.push(await sent)
  }
  expect(refused).toEqual([503, 503])
  await release()
  expect(await Promise.all(waiting)).toEqual([200, 200, 200])
  expect(passed.count).toBe(3)
})

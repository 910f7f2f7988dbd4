/** After a wait, for a body held back or for a slot, a request is checked again against current data (SIGN-29). */
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { api, engines, setVisibility, startTestApp, type TestApp } from '../support/app.ts'

async function connection(app: TestApp) {
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends all but the last byte of a body; the returned function sends the rest and returns the status. */
async function holdBack(app: TestApp, token: string, line: string, type: string, body: string) {
  const socket = await connection(app)
  const arrived = once(app.http.server, 'request')
  socket.write(
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
  )
  await arrived
  return async () => {
    const response = once(socket, 'data')
    socket.write(body.slice(-1))
    return Number(String(((await response) as [Buffer])[0]).split(' ')[1])
  }
}

const JSON_TYPE = 'application/json'

describe.each(engines)('%s', (engine) => {
  test('SIGN-29: a request whose body was held back is refused after its session has ended', async () => {
    const app = await startTestApp({ engine })
    const me = await app.player()
    const stolen = await app.signIn(me.steam_id)
    const finish = await holdBack(app, stolen, `DELETE /api/users/${me.steam_id}`, JSON_TYPE, '{}')
    expect((await app.callsOf(stolen).request('/auth/logout', { method: 'POST' })).status).toBe(204)
    expect(await finish()).toBe(401)
    expect((await me.request(`/api/users/${me.steam_id}/groups`)).status).toBe(200)
  })

  test('an upload whose body was held back is refused too', async () => {
    const app = await startTestApp({ engine })
    const me = await app.player()
    const { group_id } = await app.group({ owner: me })
    const stolen = await app.signIn(me.steam_id)
    const body = '--b\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\nx\r\n--b--'
    const line = `POST /api/groups/${group_id}/picture`
    const finish = await holdBack(app, stolen, line, 'multipart/form-data; boundary=b', body)
    expect((await app.callsOf(stolen).request('/auth/logout', { method: 'POST' })).status).toBe(204)
    expect(await finish()).toBe(401)
  })

  test('a library that was hidden while the body of fetch_games was held back is not read', async () => {
    const app = await startTestApp({ engine })
    const owner = await app.player({ games: { 1000: 5 } })
    const other = await app.player({ friends: [owner] })
    const line = `POST /api/users/${owner.steam_id}/fetch_games`
    const finish = await holdBack(app, other.token, line, JSON_TYPE, '{}')
    // Caches the owner in the current snapshot.
    await other.request(`/api/users/${owner.steam_id}/games`)
    await setVisibility(owner, 'nobody')
    expect(await finish()).toBe(403)
  })

  test('a member who was removed while waiting for a slot gets a 404', async () => {
    const app = await startTestApp({ engine })
    const games = Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [String(1000 + n), n + 1]))
    const member = await app.player({ games })
    const owner = await app.player({ games: { 1000: 5, 1001: 7 }, friends: [member] })
    const { group_id } = await app.group({ owner, members: [member] })
    const unread = await Promise.all(
      [1, 2].map(async (n) => {
        const socket = await connection(app)
        const begun = once(socket, 'data').then(() => socket.pause())
        socket.write(
          `GET /api/users/${member.steam_id}/games?${n} HTTP/1.1\r\nHost: x\r\n` +
            `Authorization: Bearer ${member.token}\r\nAccept-Encoding: identity\r\n\r\n`,
        )
        await begun
        return socket
      }),
    )
    await member.call(api.groups.read, { id: group_id })
    const arrived = once(app.http.server, 'request')
    const waiting = member.attempt(api.groups.sharedGames, { id: group_id })
    await arrived
    await owner.call(api.groups.removeMember, { id: group_id, steamId: member.steam_id })
    for (const socket of unread) socket.destroy()
    expect((await waiting).status).toBe(404)
  })
})

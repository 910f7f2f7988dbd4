/** Pictures that are set by their URL (API-26); a host on loopback stands for the web. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchPublic } from '../../src/server/pictures/web-fetch.ts'
import { api, engines, startTestApp } from '../support/app.ts'
import { imageOf } from '../support/png.ts'

const image = await imageOf('red', 8, 8)
const sendImage: RequestListener = (_request, response) =>
  response.writeHead(200, { 'content-type': 'image/png' }).end(image)

/** A server for which the web is one host on loopback, and a person with a group. */
async function start(engine: (typeof engines)[number], first: RequestListener) {
  const host = { answer: first }
  const server = createServer((request, response) => host.answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const app = await startTestApp({
    engine,
    fetchPublic: (url) =>
      fetchPublic(url, {
        lookup: async (name) => (name === 'pictures.test' ? ['127.0.0.1'] : []),
        policy: (address, asked) => address === '127.0.0.1' && asked === port,
      }),
  })
  const ada = await app.player()
  const { group_id: id } = await app.group({ owner: ada })
  /** Sets a picture, and returns the status of what a page then shows. */
  const set = async (picture_url: string) => {
    const answer = await ada.call(api.groups.setPicture, { id }, { picture_url })
    expect((await ada.call(api.groups.read, { id })).picture_url).toBe(answer.picture_url)
    return { ...answer, status: (await fetch(`${app.url}${answer.picture_image_url}`)).status }
  }
  return { set, host, web: `http://pictures.test:${port}` }
}

describe.each(engines)('setting a picture by its URL (%s)', (engine) => {
  test('API-26: serves the picture, also by its URL on this server', async () => {
    const { set, web } = await start(engine, sendImage)
    const answer = await set(`${web}/a.png`)
    expect(answer).toMatchObject({ picture_url: `${web}/a.png`, status: 200 })
    expect(await set(answer.picture_image_url!)).toMatchObject({ status: 200 })
  })

  test.each<[string, RequestListener]>([
    ['has no picture', (_request, response) => response.writeHead(404).end()],
    [
      'has a page instead',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    [
      'has a broken picture',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'image/png' }).end(image.subarray(0, 60)),
    ],
    ['hangs up', (request) => request.socket.destroy()],
  ])('API-26: whose host %s sets it; setting it again fetches it again', async (_what, answer) => {
    const { host, set, web } = await start(engine, answer)
    expect(await set(`${web}/a.png`)).toMatchObject({ picture_url: `${web}/a.png`, status: 204 })
    host.answer = sendImage
    expect(await set(`${web}/a.png`)).toMatchObject({ status: 200 })
  })

  test('API-26: is set, and not fetched, if its host does not exist or is not public', async () => {
    const { set } = await start(engine, sendImage)
    for (const url of [
      'https://nobody.test/a.png',
      'http://127.0.0.1:9/a.png',
      'http://169.254.169.254/a.png',
    ])
      expect(await set(url)).toMatchObject({ picture_url: url, status: 204 })
  })
})

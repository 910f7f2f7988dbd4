/** Setting a picture by its URL reports whether it was loaded (API-26); a host on loopback stands for the web. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { groupsContract } from '#shared/contract/groups.ts'
import { fetchPublic } from '../../src/server/pictures/web-fetch.ts'
import { startTestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { upload } from '../support/uploads.ts'

const image = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
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
  const set = (picture_url: string) => ada.call(groupsContract.setPicture, { id }, { picture_url })
  return { app, ada, id, host, set, web: `http://pictures.test:${port}` }
}

describe.each(engines)('setting a picture by its URL (%s)', (engine) => {
  test('API-26: reports that it was loaded, and the picture is served', async () => {
    const { app, set, web } = await start(engine, sendImage)
    const answer = await set(`${web}/a.png`)
    expect(answer).toMatchObject({ picture_url: `${web}/a.png`, picture_loaded: true })
    expect((await fetch(`${app.url}${answer.picture_image_url}`)).status).toBe(200)
    // By its URL on this server.
    expect(await set(answer.picture_image_url!)).toMatchObject({ picture_loaded: true })
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
  ])(
    'API-26: whose host %s reports it as not loaded; setting it again fetches it again',
    async (_what, answer) => {
      const { ada, id, host, set, web } = await start(engine, answer)
      expect(await set(`${web}/a.png`)).toMatchObject({ picture_url: `${web}/a.png`, picture_loaded: false })
      expect(await ada.call(groupsContract.read, { id })).toMatchObject({ picture_url: `${web}/a.png` })
      host.answer = sendImage
      expect(await set(`${web}/a.png`)).toMatchObject({ picture_loaded: true })
    },
  )

  test('whose host does not exist or is not public reports it as not loaded', async () => {
    const { set } = await start(engine, sendImage)
    for (const url of [
      'https://nobody.test/a.png',
      'http://127.0.0.1:9/a.png',
      'http://169.254.169.254/a.png',
    ])
      expect(await set(url)).toMatchObject({ picture_url: url, picture_loaded: false })
  })

  test('API-26: does not wait for a slow host, and the picture is served once it has arrived', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { app, set, web } = await start(engine, (request, response) => {
      void held.then(() => sendImage(request, response))
    })
    const began = performance.now()
    const answer = await set(`${web}/a.png`)
    expect(performance.now() - began).toBeLessThan(6000)
    expect(answer).toMatchObject({ picture_loaded: false })
    release()
    expect((await fetch(`${app.url}${answer.picture_image_url}`)).status).toBe(200)
  })

  test('an upload is always loaded', async () => {
    const { ada, id } = await start(engine, sendImage)
    expect(await (await upload(ada, id, image)).json()).toMatchObject({ picture_loaded: true })
  })
})

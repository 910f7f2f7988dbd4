/** Pictures and groups of one database, without the rest of the server. */
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'
import { createPictures, type IncomingUpload, type Pictures } from '../../src/server/pictures/pictures.ts'
import { fetchPublic } from '../../src/server/pictures/web-fetch.ts'
import type { Database } from '../../src/server/database/database.ts'
import { createGroup } from '../../src/server/storage/groups/groups.ts'
import { ensurePlayers } from '../../src/server/storage/players/players.ts'
import { listening } from './http.ts'
import { imageOf } from './png.ts'

const OWNER = '76561197960265729'

/** An upload that has arrived completely. */
function arrived(bytes: Uint8Array): IncomingUpload {
  return { network: '127.0.0.1', read: async () => bytes }
}

/** Functions that set a group's picture; a new group unless one is given. */
export async function showing(database: Database, pictures: Pictures) {
  await database.transaction((tx) => ensurePlayers(tx, [OWNER]))
  const newGroup = () =>
    database.transaction((tx) => createGroup(tx, { name: 'Friday', owner: OWNER, at: 1 }))
  const show = async (chosen: Parameters<Pictures['show']>[1]['chosen'], group?: number) => {
    const groupId = group ?? (await newGroup())
    const shown = await database.transaction((tx) => pictures.show(tx, { groupId, by: OWNER, chosen }))
    return { ...shown, key: shown.picture_image_url.slice('/media/'.length) }
  }
  return {
    newGroup,
    upload: async (bytes: Uint8Array, group?: number) =>
      show(await pictures.upload(OWNER, arrived(bytes)), group),
    fromWeb: (url: string, group?: number) => show({ kind: 'web', url }, group),
    ours: (key: string, group?: number) => show({ kind: 'ours', key }, group),
  }
}

/** Pictures of one database, a clock that tests set, and a host on loopback in place of the web. */
export async function startPictures(database: Database) {
  let now = Date.UTC(2030, 0, 1)
  const web = {
    status: 200,
    image: await imageOf('red'),
    requests: 0,
    held: undefined as Promise<void> | undefined,
  }
  const host = createServer((_request, response) => {
    web.requests += 1
    void Promise.resolve(web.held).then(() =>
      response.writeHead(web.status, { 'content-type': 'image/png' }).end(web.image),
    )
  })
  const { port, url, close } = await listening(host)
  onTestFinished(close)
  const logged: object[] = []
  const create = () =>
    createPictures({
      database,
      clock: () => now,
      log: { warn: (details) => void logged.push(details) },
      fetchPublic: (url) =>
        fetchPublic(url, { policy: (address, asked) => address === '127.0.0.1' && asked === port }),
    })
  const pictures = create()
  return {
    pictures,
    ...(await showing(database, pictures)),
    /** Another server of the same database. */
    create,
    web,
    logged,
    webUrl: `${url}/picture.png?token=secret`,
    pass: (ms: number) => (now += ms),
  }
}

/** DEPL-2: the image, by its Dockerfile, and the server run from its files as a user who may write nothing but /data. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { freePort } from '../support/postgres.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const NOBODY = 65_534

/** Instructions as keyword and arguments, by stage; the last stage is the image. */
function stagesOf(text: string) {
  const stages: { keyword: string; content: string }[][] = []
  const lines = text.split('\n')
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword()
    const { start, end } = instruction.getRange()
    // The parser's own arguments lack the flags.
    const content = lines
      .slice(start.line, end.line + 1)
      .join('\n')
      .replaceAll(/(?<!\s)\s*\\\n\s*/g, ' ')
    if (keyword === 'FROM') stages.push([])
    stages.at(-1)!.push({ keyword, content: content.slice(keyword.length + 1) })
  }
  return stages
}

const stages = stagesOf(read('Dockerfile'))
const image = stages.at(-1)!
const all = stages.flat()
const of = (keyword: string) => image.filter((each) => each.keyword === keyword).map((each) => each.content)

/** Source and destination of what the image has of this folder. */
const copied = of('COPY').map((content) => {
  const [source = '', destination = ''] = content.replace(/--from=\w+ \/app\//, '').split(' ')
  return { source, destination }
})

describe('DEPL-2: the Dockerfile', () => {
  test('DEPL-2: runs the server as a user without rights, by the form of CMD that passes signals on', () => {
    expect(of('USER')).toEqual(['node'])
    expect(image.findLastIndex((each) => each.keyword === 'COPY')).toBeLessThan(
      image.findIndex((each) => each.keyword === 'USER'),
    )
    const flags = '--max-semi-space-size=8 --heap-growing-percent=100'
    expect(JSON.parse(read('package.json'))).toMatchObject({ config: { node_flags: flags } })
    expect(JSON.parse(of('CMD')[0]!)).toEqual(['node', ...flags.split(' '), 'src/server/main.ts'])
    expect(of('STOPSIGNAL')).toEqual(['SIGTERM'])
  })

  test('DEPL-2: takes base images by version, adds nothing from the web, and contains no secret', () => {
    for (const [from] of stages)
      expect(from!.content).toMatch(/^(--platform=\$BUILDPLATFORM )?node:24-slim( AS \w+)?$/)
    expect(all.filter(({ keyword }) => keyword === 'ADD' || keyword === 'ARG')).toEqual([])
    for (const { content } of all)
      expect(content).not.toMatch(/curl|wget|apt-get|sudo|KEY|TOKEN|PASSWORD|_URL/)
    for (const { keyword, content } of all) if (keyword === 'COPY') expect(content).not.toMatch(/^\.\s/)
  })

  test('DEPL-2: native packages have binaries of both platforms in the lock file', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { cpu?: string[]; os?: string[]; dev?: boolean; hasInstallScript?: boolean }>
    }
    const names = Object.keys(packages)
    for (const cpu of ['x64', 'arm64'])
      for (const kind of ['@img/sharp-linux', '@img/sharp-libvips-linux', '@resvg/resvg-js-linux'])
        expect(names).toContain(`node_modules/${kind}-${cpu}${kind.startsWith('@resvg') ? '-gnu' : ''}`)
    // Whatever is built or chosen at installation; these two are, and they come as binaries, without install scripts.
    const native = names.filter((name) => !packages[name]!.dev && (packages[name]!.cpu ?? packages[name]!.os))
    expect(native.filter((name) => !/^node_modules\/@(img\/sharp|resvg\/resvg-js)-/.test(name))).toEqual([])
    const scripts = names.filter((name) => !packages[name]!.dev && packages[name]!.hasInstallScript)
    expect(scripts).toEqual([])
  })
})

/** Every file below a folder with what a write would change. */
function stateOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true }) as string[]
  return Object.fromEntries(
    names.map((name) => {
      const { mtimeMs, ctimeMs, size } = lstatSync(join(folder, name))
      return [name, `${mtimeMs} ${ctimeMs} ${size}`]
    }),
  )
}

test('DEPL-2: on a read-only file system, as a user without rights, it runs and writes to its data folder only', async () => {
  const place = temporaryFolder('image')
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  const [app, data, temporary] = ['app', 'data', 'tmp'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [app, data, temporary]) mkdirSync(folder)
  // Found from the folder above; within the tree its link would be followed when the tree is made read-only.
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  for (const { source, destination } of copied) {
    if (source === 'node_modules' || !existsSync(join(ROOT, source))) continue
    const to = join(app, destination, destination === './' ? source : '')
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(ROOT, source), to, { recursive: true })
  }
  const names = readdirSync(app, { recursive: true }) as string[]
  expect(names.some((name) => lstatSync(join(app, name)).isSymbolicLink())).toBe(false)
  const makeWritable = (isWritable: boolean) => {
    for (const path of [app, ...names.map((name) => join(app, name))])
      if (lstatSync(path).isDirectory()) chmodSync(path, isWritable ? 0o755 : 0o555)
      else chmodSync(path, 0o444)
  }
  makeWritable(false)
  onTestFinished(() => makeWritable(true))
  chmodSync(place, 0o755)
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if (user.uid !== undefined) for (const folder of [data, temporary]) chownSync(folder, NOBODY, NOBODY)

  const before = stateOf(app)
  const port = await freePort()
  const [command, ...args] = JSON.parse(of('CMD')[0]!) as string[]
  expect(command).toBe('node')
  const child = spawn(process.execPath, args, {
    ...user,
    cwd: app,
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      DATA_DIR: data,
      TMPDIR: temporary,
      HOME: '/nonexistent',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)))
  await expect.poll(() => output).toContain('Shelfmates is ready')

  // Its own health check, as the image runs it.
  const check = JSON.parse(of('HEALTHCHECK')[0]!.replace(/^.* CMD /, '')) as string[]
  const checking = spawn(process.execPath, check.slice(1), { env: { PORT: String(port) }, stdio: 'ignore' })
  expect(await once(checking, 'exit')).toEqual([0, null])

  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(stateOf(app)).toEqual(before)
  expect(readdirSync(data)).toEqual(['shelfmates.lock', 'shelfmates.sqlite'])
  expect(readdirSync(temporary)).toEqual([])
})

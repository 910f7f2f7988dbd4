/** OPS-46: `npm start` in a clone whose packages were installed in part. With real npm, and packages of two files. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'

const ROOT = join(import.meta.dirname, '../..')
const TIMEOUT = { timeout: 300_000 }

/** A clone whose packages are Vite, which is for development, and Node, which a script installs. */
function clone(name = 'clone') {
  const folder = temporaryFolder('install')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const root = join(folder, name)
  mkdirSync(join(root, 'packages/vite'), { recursive: true })
  mkdirSync(join(root, 'packages/node'))
  cpSync(join(ROOT, 'scripts/prepare.mjs'), join(root, 'scripts/prepare.mjs'))
  const write = (path: string, content: object) =>
    writeFileSync(join(root, path), JSON.stringify({ version: '1.0.0', ...content }))
  write('package.json', {
    engines: { node: '>=99' },
    devDependencies: { vite: 'file:packages/vite', node: 'file:packages/node' },
  })
  write('packages/vite/package.json', { name: 'vite', bin: 'vite.js' })
  writeFileSync(join(root, 'packages/vite/vite.js'), '#!/usr/bin/env node\n')
  const script = 'mkdir -p bin && touch bin/node'
  write('packages/node/package.json', { name: 'node', scripts: { postinstall: script } })
  chmodSync(join(root, 'packages/vite/vite.js'), 0o755)
  const npm = (...args: string[]) => spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  expect(npm('install', '--package-lock-only', '--offline').status).toBe(0)
  return root
}

function prepare(root: string, env: Record<string, string> = {}) {
  const code = `try { (await import('${join(root, 'scripts/prepare.mjs').replaceAll('#', '%23').replaceAll('?', '%3F')}')).ensurePackages() }
    catch (error) { console.error(error.message); process.exit(1) }`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: root, npm_config_offline: 'true', ...env },
  })
  return { status, stdout, stderr }
}

const isWhole = (root: string) =>
  existsSync(join(root, 'node_modules/vite/vite.js')) && existsSync(join(root, 'node_modules/node/bin/node'))

test.each([
  ['NODE_ENV', { NODE_ENV: 'production' }],
  ['omit', { npm_config_omit: 'dev' }],
  ['ignore-scripts', { npm_config_ignore_scripts: 'true' }],
])('OPS-46: installs what it needs, whatever %s says', TIMEOUT, (_, env) => {
  const root = clone()
  expect(prepare(root, env)).toMatchObject({ status: 0, stderr: '' })
  expect(isWhole(root)).toBe(true)
  expect(prepare(root)).toMatchObject({ status: 0, stdout: '' })
})

test('OPS-46: installs again when a part is missing, or everything is of another platform', TIMEOUT, () => {
  const root = clone()
  expect(prepare(root)).toMatchObject({ status: 0 })
  rmSync(join(root, 'node_modules/vite'), { recursive: true })
  expect(prepare(root).stdout).toContain('installing packages')
  expect(isWhole(root)).toBe(true)
  const stamp = join(root, 'node_modules/.installed')
  writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(type(), 'Darwin'))
  expect(prepare(root).stdout).toContain('installing packages')
})

test.each(['#', '?'])('OPS-46: says before it installs that no %s may be in the path', TIMEOUT, (letter) => {
  const root = clone(`Games ${letter}1`)
  expect(prepare(root)).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining(`has a "${letter}" in its path, which the build cannot read`) as string,
  })
  expect(existsSync(join(root, 'node_modules'))).toBe(false)
})

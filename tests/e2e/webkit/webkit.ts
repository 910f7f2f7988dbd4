/**
 * WebKit, the engine of Safari, as Debian builds it (WebKitGTK): its WebDriver, and a window without anything around the page
 * (window.py), which is as wide as a test wants. Pages are asked until they show what is expected.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from '@playwright/test'
import { temporaryFolder } from '../../support/folders.ts'
import { freePort } from '../../support/postgres.ts'

export type Look = { size: { width: number; height: number }; theme: 'dark' | 'light'; language: 'en' | 'de' }
export type WebKit = Awaited<ReturnType<typeof openWebKit>>

/** A screen that nobody sees. */
export async function startScreen(): Promise<{ name: string; stop: () => void }> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = (await once(screen.stdio[3]!, 'data')) as [Buffer]
  return { name: `:${String(number).trim()}`, stop: () => void screen.kill() }
}

/** What WebKitGTK says of itself, not of the pages. */
const OWN_WORDS =
  // It knows no manifests, calls requests that a navigation ends an error, and refuses its own style of a text. Pictures of other
  // hosts are kept from it.
  /'manifest-src'|\/robots\.txt|due to access control checks|\bhttps:\/\/|Gtk-WARNING|dconf|libEGL|MESA/

/** @param url of the product; paths are opened there */
export async function openWebKit(screen: string, url: string, { size, theme, language }: Look) {
  const folder = temporaryFolder('webkit')
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: screen,
      LANG: 'C.UTF-8',
      LIBGL_ALWAYS_SOFTWARE: '1',
      NO_AT_BRIDGE: '1',
      WINDOW_FOLDER: folder,
      WINDOW_SIZE: `${size.width}x${size.height}`,
      WINDOW_THEME: theme,
      WINDOW_LANGUAGE: { en: 'en-GB', de: 'de-DE' }[language],
    },
  })
  const errors = collectErrors(driver)
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } }
    if (value?.error) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  await expect.poll(() => call('GET', '/status').then(Boolean, () => false)).toBe(true)
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: '/usr/bin/python3',
          args: [join(import.meta.dirname, 'window.py')],
        },
      },
    },
  })
  const post = <T>(path: string, body: object = {}) => call<T>('POST', `/session/${sessionId}${path}`, body)

  /** Runs a function in the page, which knows nothing around it. */
  const evaluate = <T, A extends unknown[] = []>(work: (...args: A) => T, ...args: A) =>
    post<T>('/execute/sync', { script: `return (${work.toString()})(...arguments)`, args })
  const shown = <T, A extends unknown[] = []>(work: (...args: A) => T, ...args: A) =>
    expect.poll(() => evaluate(work, ...args).catch(() => undefined))

  /** The first that is visible, has this name (any, if '') and is not disabled, in the dialog if one is open. */
  async function findElement(name: string, among: string): Promise<Record<string, string>> {
    let found: Record<string, string> | null | undefined
    await expect
      .poll(
        async () => {
          found = await evaluate(findInPage, name, among).catch(() => null)
          return found !== null
        },
        { message: `"${name}" among ${among}` },
      )
      .toBe(true)
    return found!
  }
  const PRESSED = 'button, a, summary, label, [role=option], [role=radio]'

  const keys = (keys: string[]) =>
    post('/actions', {
      actions: [
        {
          type: 'key',
          id: 'keys',
          actions: [
            ...keys.map((value) => ({ type: 'keyDown', value })),
            ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
          ],
        },
      ],
    })

  return {
    errors,
    folder,
    evaluate,
    /** Waits for what a function in the page returns. */
    shown,
    go: (path: string) => post('/url', { url: path.startsWith('http') ? path : `${url}${path}` }),
    // By the page: the driver's own Back waits for ever for a page that the browser has kept whole.
    back: () => evaluate(() => void setTimeout(() => history.back())),
    forward: () => post('/forward'),
    atPath: (path: string | RegExp) =>
      typeof path === 'string'
        ? shown(() => location.pathname).toBe(path)
        : shown(() => location.pathname).toMatch(path),
    shows: (text: string) => shown((wanted) => document.body.innerText.includes(wanted), text).toBe(true),
    showsNot: (text: string) => shown((wanted) => document.body.innerText.includes(wanted), text).toBe(false),
    press: async (name: string, among = PRESSED) => {
      await expect(async () => {
        const found = await findElement(name, among)
        // The driver presses where the element was, also when it has moved since.
        expect(await evaluate(isStill, found), `"${name}" is still`).toBe(true)
        await post(`/element/${Object.values(found)[0]!}/click`)
      }).toPass({ timeout: 20_000 })
    },
    /** Types into the field of this label, after what is there; into one of a file, its path. */
    type: async (label: string, text: string, among = 'input, textarea, select') => {
      const [element] = Object.values(await findElement(label, among))
      await post(`/element/${element}/value`, { text })
    },
    /** Presses keys at once, such as Control and K. */
    keys: (...names: string[]) => keys(names.map((name) => KEYS[name] ?? name)),
    picture: async () => Buffer.from(await call<string>('GET', `/session/${sessionId}/screenshot`), 'base64'),
    close: async () => {
      await call('DELETE', `/session/${sessionId}`).catch(() => undefined)
      driver.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whether an element stays where it is for some frames; the driver passes the element itself. */
async function isStill(element: unknown): Promise<boolean> {
  const place = () => JSON.stringify((element as Element).getBoundingClientRect())
  const before = place()
  for (let frames = 0; frames < 6; frames++) await new Promise(requestAnimationFrame)
  return (element as Element).isConnected && place() === before
}

/** Codes of WebDriver. */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Enter: '\uE007',
  Escape: '\uE00C',
}

/** Runs in the page. */
function findInPage(name: string, among: string) {
  const scope = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const nameOf = (one: Element) =>
    (
      one.getAttribute('aria-label') ??
      (one as HTMLInputElement).labels?.[0]?.innerText ??
      (one as HTMLElement).innerText
    )
      .trim()
      .replace(/\s+/g, ' ')
  const isShown = (one: Element) =>
    (one as HTMLInputElement).type === 'file' ||
    (one.checkVisibility() && (one.getClientRects()[0]?.width ?? 0) > 0)
  const all = [...scope.querySelectorAll(among)].filter(
    (one) => isShown(one) && !(one as HTMLButtonElement).disabled,
  )
  // Labels may say more before the name.
  const first =
    all.find((one) => ['', nameOf(one)].includes(name)) ?? all.find((one) => nameOf(one).endsWith(name))
  first?.scrollIntoView({ block: 'center' })
  return (first ?? null) as unknown as Record<string, string> | null
}

/** The errors of the console, among them failed requests and what the content security policy refuses, and crashes. */
function collectErrors(driver: ChildProcess): string[] {
  const errors: string[] = []
  for (const output of [driver.stdout!, driver.stderr!])
    createInterface({ input: output }).on('line', (line) => {
      if (/CONSOLE .*ERROR|CRASH/.test(line) && !OWN_WORDS.test(line)) errors.push(line)
    })
  return errors
}

/** Starts the product for vitest, on any engine, and stops it after the test. */
import { onTestFinished } from 'vitest'
import { defaultEngine, type EngineName, migratedDatabaseOptions } from './databases.ts'
import { nextSteamId, type Product, type ProductOptions, startProduct } from './product.ts'

export { contract as api } from '#shared/contract/index.ts'
export { type EngineName, engines } from './databases.ts'
export { makeCalls, newPlayer, nextSteamId, setVisibility, type TestPlayer } from './product.ts'
export type TestApp = Product

type TestAppOptions = Partial<Omit<ProductOptions, 'place' | 'simulator'>> & {
  engine?: EngineName
  /** A database of the test's own. */
  place?: ProductOptions['place']
  /** Starts another server with the database and simulator of this one. */
  besides?: TestApp
  /** The server serves several tests; the caller closes it. */
  lasting?: boolean
  /**
   * With TEST_SERVERS=2 calls alternate between two servers of one database (`npm run test:two-servers`). Why this test
   * needs a single one: what it is about is in a server's memory.
   */
  oneServer?: string
}

const SERVERS = Number(process.env.TEST_SERVERS ?? 1)

/** Starts the product for one test. */
export async function startTestApp({
  engine = defaultEngine,
  besides,
  place: own,
  lasting = false,
  oneServer,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const place = own ?? besides?.place ?? (await migratedDatabaseOptions(engine))
  const first = await startProduct({ ...options, place, ...(besides && { simulator: besides.simulator }) })
  // A server beside another, one at a public URL that leads nowhere, and a public demo (decision 016) are alone.
  const isAlone = besides !== undefined || first.url !== first.address || options.demo === true
  const app = SERVERS === 2 && !isAlone && oneServer === undefined ? await alternating(first, options) : first
  if (!lasting) onTestFinished(app.close)
  return app
}

/** An app whose clock stands at a time, until the test moves it. */
export async function startAt(now: number, options: TestAppOptions = {}) {
  const time = { now }
  return { app: await startTestApp({ ...options, clock: () => time.now }), time }
}

/** An app with an operator, who is signed in. */
export async function startWithOperator(options: TestAppOptions = {}) {
  const steamId = nextSteamId()
  const app = await startTestApp({ env: { OPERATORS: steamId }, ...options })
  return { app, operator: await app.player({ steamId, name: 'Olga' }) }
}

/** The same server, whose players call it and another one in turn. */
async function alternating(first: TestApp, options: Omit<ProductOptions, 'place'>): Promise<TestApp> {
  const second = await startProduct({
    ...options,
    place: first.place,
    simulator: first.simulator,
    // A sign-in that reaches it was sent to the first one.
    env: { TRUST_PROXY: '127.0.0.1', ...options.env, PUBLIC_URL: first.url },
  })
  first.shareCalls(second.address)
  const close = async () => {
    await second.close()
    await first.close()
  }
  return { ...first, close }
}

/** Starts the product for vitest, on any engine, and stops it after the test. */
import { onTestFinished } from 'vitest'
import { defaultEngine, type EngineName, migratedDatabaseOptions } from './databases.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'

export { newPlayer, nextSteamId, type TestPlayer } from './product.ts'
export type TestApp = Product

type TestAppOptions = Partial<Omit<ProductOptions, 'place' | 'simulator'>> & {
  engine?: EngineName
  /** A database of the test's own. */
  place?: ProductOptions['place']
  /** Starts another server with the database and simulator of this one. */
  besides?: TestApp
  /** The server serves several tests; the caller closes it. */
  lasting?: boolean
}

/** Starts the product for one test. */
export async function startTestApp({
  engine = defaultEngine,
  besides,
  place: own,
  lasting = false,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const place = own ?? besides?.place ?? (await migratedDatabaseOptions(engine))
  const app = await startProduct({ ...options, place, ...(besides && { simulator: besides.simulator }) })
  if (!lasting) onTestFinished(app.close)
  return app
}

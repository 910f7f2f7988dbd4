/** The product for vitest: on either engine, and gone when the test is. */
import { onTestFinished } from 'vitest'
import { type EngineName, freshDatabaseOptions } from './databases.ts'
import { type Product, type ProductOptions, startProduct } from './product.ts'

export { newPlayer, nextSteamId, type TestPlayer } from './product.ts'
export type TestApp = Product

type TestAppOptions = Partial<Omit<ProductOptions, 'place' | 'simulator'>> & {
  engine?: EngineName
  /** Another server of this one's database and simulator. */
  besides?: TestApp
  /** Serves several tests; whoever started it closes it. */
  lasting?: boolean
}

/** Starts the product for one test. */
export async function startTestApp({
  engine = 'sqlite',
  besides,
  lasting = false,
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const place = besides?.place ?? (await freshDatabaseOptions(engine))
  const app = await startProduct({ ...options, place, ...(besides && { simulator: besides.simulator }) })
  if (!lasting) onTestFinished(app.close)
  return app
}

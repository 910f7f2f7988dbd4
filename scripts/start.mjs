/** `npm start`: install and build what is missing, then run the server. */
import { ensurePackages, ensurePages, hand, node } from './prepare.mjs'

try {
  ensurePackages()
  ensurePages()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
hand(node(), ['src/server/main.ts'])

/** `npm start`: install and build what is missing, then run the server. */
import { ensurePackages, ensurePages, hand, node } from './prepare.mjs'

try {
  ensurePackages()
  ensurePages()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
// V8 collects everything whenever 64 MB lie outside its heap, as answers do. With a small young generation those that
// were sent are let go before (docs/PERFORMANCE.md; the benches and the Dockerfile run the server so as well).
hand(node(), ['--max-semi-space-size=8', 'src/server/main.ts'])

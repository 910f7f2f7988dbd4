/** `npm start`: installs and builds what is missing, then runs the server. */
import { ensurePackages, ensurePages, node, runForeground } from './prepare.mjs'

try {
  ensurePackages()
  ensurePages()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
// Response bodies are outside the V8 heap, and at 64 MB of such memory V8 runs a full collection. A small young
// generation frees sent bodies earlier (docs/PERFORMANCE.md). The benchmarks and the Dockerfile set it too.
runForeground(node(), ['--max-semi-space-size=8', 'src/server/main.ts'])

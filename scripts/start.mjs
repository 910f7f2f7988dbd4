/** `npm start`: installs and builds what is missing, then runs the server. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages, ensurePages, node, root, runForeground } from './prepare.mjs'

try {
  ensurePackages()
  ensurePages()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
// Response bodies are outside the V8 heap, and at 64 MB of such memory V8 runs a full collection: a small young generation
// frees sent bodies earlier. Where little such memory is used, V8 lets the heap triple before it collects; the second flag
// limits that to doubling (docs/performance.md). The benchmarks take these flags from package.json too; the Dockerfile repeats them.
const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
runForeground(node(), [...config.node_flags.split(' '), 'scripts/serve.mjs'])

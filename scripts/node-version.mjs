/**
 * Ends with one sentence on a Node that is too old (OPS-46): Node below 24 says only ERR_UNKNOWN_FILE_EXTENSION, when it is
 * to load the first file in TypeScript. So whoever imports this loads those with `import()`, afterwards.
 */
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const needed = /\d+/.exec(engines.node)[0]
if (Number.parseInt(process.versions.node) < Number(needed)) {
  console.error(
    `Shelfmates needs Node ${needed} or newer, but this is Node ${process.versions.node} (${process.execPath}); install ` +
      'a newer one, or use npm start, which brings its own.',
  )
  process.exit(1)
}

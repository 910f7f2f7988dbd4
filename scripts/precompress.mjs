/** Writes .br and .gz beside every built text file, so that the server compresses nothing of the pages itself. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, '..', 'dist', 'web')
let total = 0
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.(js|css|svg|webmanifest|txt)$/.test(name)) continue
  const path = join(folder, name)
  const text = readFileSync(path)
  if (text.length < 512) continue
  const brotli = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  writeFileSync(`${path}.br`, brotli)
  writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }))
  if (name.endsWith('.js')) total += brotli.length
}
console.log(`JavaScript of all pages together: ${(total / 1000).toFixed(1)} kB (brotli)`)

/** The configurations and commands in the operator's documents, unchanged. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** The text of a file of the repository. */
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/**
 * The blocks of code of this language below a heading of a document, up to the next heading of any level.
 * @throws Error when there are none, so that a document that was changed does not leave a test with nothing
 */
export function examplesIn(path: string, heading: string, language: string): string[] {
  const section = readText(path)
    .split(/^(?=#+ )/m)
    .find((text) => text.slice(0, text.indexOf('\n')).replace(/^#+ /, '') === heading)
  const blocks = [...(section ?? '').matchAll(/^ *```(\w+)\n([^`]*)^ *```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text]) => text!)
  if (blocks.length === 0) throw new Error(`${path} has no ${language} below "${heading}"`)
  return blocks
}

/**
 * A text with some of its lines changed for this machine.
 * @param rules what each is replaced by; every one must be found
 */
export function changed(
  text: string,
  rules: readonly (readonly [found: RegExp | string, by: string])[],
): string {
  for (const [found, by] of rules) {
    const after = text.replace(found, () => by)
    if (after === text) throw new Error(`nothing to replace: ${String(found)} is not in\n${text}`)
    text = after
  }
  return text
}

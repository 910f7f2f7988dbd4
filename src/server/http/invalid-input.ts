/** Invalid input as a 400 that names the field (ERR-3, ERR-5). */
import { type z } from 'zod'
import { errorCatalogue } from '#shared/errors.ts'
import { AppError } from '../errors.ts'

/**
 * Turns zod's first issue into a 400 that names the field. The text is the schema's own if it has one ('Group name
 * required.', ERR-3).
 * @param error of a parse with `reportInput`
 */
export function invalidInput(error: z.ZodError): AppError {
  const [issue] = error.issues
  const field = issue?.path.join('.') || 'body'
  if (issue?.message === errorCatalogue.group_name_required.text)
    return new AppError('group_name_required', { field })
  return new AppError('invalid_input', { field, problem: `${field}: ${problemOf(issue)}` })
}

const KINDS: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** The problem in words; the schemas' own messages are used as they are. */
function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'is not valid'
  // Needs `reportInput` (pipeline.ts), without which zod issues do not contain the input.
  if (issue.input === undefined) return 'is missing'
  if (issue.code === 'invalid_type') return `must be ${KINDS[issue.expected] ?? `of type ${issue.expected}`}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_small' && issue.origin === 'array')
    return `must have at least ${entries(issue.minimum)}`
  if (issue.code === 'too_big' && issue.origin === 'array')
    return `must have at most ${entries(issue.maximum)}`
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1)
}

function entries(count: number | bigint): string {
  return count === 1 ? '1 entry' : `${count} entries`
}

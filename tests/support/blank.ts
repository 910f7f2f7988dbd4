/** What the API returns, for tests of what pages make of it. */
import { z } from 'zod'

type JsonSchema = {
  type?: string | string[]
  required?: string[]
  enum?: unknown[]
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
}

/** The emptiest value of a schema: null, none, no, zero or the first of the words. `more` is what a test is about. */
export function blank<Type extends z.ZodObject>(
  schema: Type,
  more: Partial<z.infer<Type>> = {},
): z.infer<Type> {
  return { ...(emptiest(z.toJSONSchema(schema) as JsonSchema) as z.infer<Type>), ...more }
}

function emptiest({ type, required, enum: words, anyOf, properties }: JsonSchema): unknown {
  if (Array.isArray(type)) return null
  if (anyOf) return anyOf.some((one) => one.type === 'null') ? null : emptiest(anyOf[0]!)
  if (words) return words[0]
  if (type === 'object')
    return Object.fromEntries((required ?? []).map((key) => [key, emptiest(properties?.[key] ?? {})]))
  if (type === 'array') return []
  return type === 'string' ? '' : type === 'boolean' ? false : 0
}

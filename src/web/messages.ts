/**
 * The texts of the first screens, in the visitor's language. Modules that import them run once they are loaded, so they
 * are constants.
 */
import { catalogue } from './language.ts'

export const { copying, messages, nightLists, nightTime } = await catalogue.first()

/** Declares the texts to TypeScript, or says where a language does not fit to English. */
import { declareTexts } from '../src/locales/catalogues.ts'

declareTexts()

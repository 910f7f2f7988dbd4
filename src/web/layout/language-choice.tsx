/** Chooses the language of the pages: the browser's, or one that there are texts in (LANG-4). */
import { LANGUAGES, languages, type Language } from '#shared/languages.ts'
import { chosenLanguage } from '../language.ts'
import { messages } from '../messages.ts'

export function LanguageChoice({ onChoose }: { onChoose: (language: Language | null) => void }) {
  const { title, browser } = messages.language
  return (
    <label className="inline-flex items-center gap-2 text-sm text-soft">
      {title}
      <select
        className="min-h-11 rounded-control border border-line bg-deep px-3 text-ink"
        defaultValue={chosenLanguage() ?? ''}
        onChange={({ target }) => onChoose(LANGUAGES.find((known) => known === target.value) ?? null)}
      >
        <option value="">{browser}</option>
        {LANGUAGES.map((known) => (
          <option key={known} value={known} lang={known}>
            {languages[known]}
          </option>
        ))}
      </select>
    </label>
  )
}

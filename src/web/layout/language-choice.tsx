/** Chooses the language of the pages: the browser's, or one that there are texts in (LANG-1). */
import { LANGUAGES, languages, type Language } from '#shared/languages.ts'
import { chosenLanguage } from '../language.ts'
import { language as languageTexts } from 'virtual:texts'
import { selectLook } from '../ui/looks.ts'

export function LanguageChoice({ onChoose }: { onChoose: (language: Language | null) => void }) {
  const { title, browser } = languageTexts
  return (
    <label className="inline-flex items-center gap-2 text-sm text-soft">
      <span className="whitespace-nowrap">{title}</span>
      <select
        className={selectLook}
        defaultValue={chosenLanguage() ?? ''}
        onChange={({ target }) => onChoose(LANGUAGES.find((known) => known === target.value) ?? null)}
      >
        <option value="" className="bg-deep">
          {browser}
        </option>
        {LANGUAGES.map((known) => (
          <option key={known} value={known} lang={known} className="bg-deep">
            {languages[known]}
          </option>
        ))}
      </select>
    </label>
  )
}

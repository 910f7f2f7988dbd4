/** Chooses the theme: the system's, light or dark (LOOK-36). */
import type { Theme } from '#shared/contract/privacy.ts'
import { theme as themeTexts } from 'virtual:texts'
import { useTheme } from '../theme.ts'
import { Segmented } from '../ui/forms/segmented.tsx'

export function ThemeChoice({ onChoose }: { onChoose: (theme: Theme) => void }) {
  const { title, themes } = themeTexts
  return <Segmented legend={title} options={themes} value={useTheme()} onChange={onChoose} />
}

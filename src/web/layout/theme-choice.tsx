/** Chooses the theme: the system's, light or dark (LOOK-36). */
import type { Theme } from '#shared/contract/privacy.ts'
import { messages } from '../messages.ts'
import { useTheme } from '../theme.ts'
import { Segmented } from '../ui/segmented.tsx'

export function ThemeChoice({ onChoose }: { onChoose: (theme: Theme) => void }) {
  const { title, themes } = messages.theme
  return <Segmented legend={title} options={themes} value={useTheme()} onChange={onChoose} />
}

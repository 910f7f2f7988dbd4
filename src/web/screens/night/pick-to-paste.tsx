/** The pick as a line to paste into a chat, with a button that copies it (NIGHT-105). */
import type { Night } from '../../data/nights.ts'
import { pickToPaste as text } from '../../messages/pick-text.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { pickText } from './pick-text.ts'

export function PickToPaste({ night, game }: { night: Night; game: string }) {
  return <CopyText label={text.label} copy={text.copy} value={pickText(night, game, useNow())} isLong />
}

/** The pick as a line to paste into a chat, with a button that copies it (NIGHT-105). */
import type { Night } from '../../data/nights.ts'
import { nightUrl } from '../../layout/night-start/tell-text.ts'
import { pickToPaste as text } from '../../more-messages.ts'
import { CopyText } from '../../ui/copy-text.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { discordText, pickText } from './pick-text.ts'

export function PickToPaste({ night, game }: { night: Night; game: string }) {
  const url = nightUrl(night)
  return (
    <CopyText
      label={text.label}
      copy={text.copy}
      value={pickText(night, game, url, useNow())}
      isLong
      other={night.planned ? { copy: text.copyForDiscord, value: discordText(night, game, url) } : undefined}
    />
  )
}

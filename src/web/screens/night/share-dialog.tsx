/** The dialog of a pick: a line for a chat, and the public link (NIGHT-105, NIGHT-107). */
import { useQuery } from '@tanstack/react-query'
import { ShareLink } from '../../layout/share-link.tsx'
import type { Night } from '../../data/nights.ts'
import { linkQuery, linkToPick } from '../../data/nights-outside.ts'
import { messages, nightShare as text, pickToPaste } from 'virtual:texts'
import { CopyText } from '../../ui/forms/copy-text.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { useNow } from '../../ui/words/relative-time.tsx'
import { discordText, pickText } from './pick-text.ts'

export function ShareDialog({ night, game, open, onClose }: DialogState & { night: Night; game: string }) {
  return (
    <Dialog open={open} title={text.title} closeLabel={messages.close} onClose={onClose}>
      <PickToPaste night={night} game={game} />
      {night.status === 'decided' && (
        <ShareLink
          link={linkToPick(night.night_id)}
          explained={text.explained}
          mayCreate={night.my.answer === 'in'}
        />
      )}
    </Dialog>
  )
}

/** A line for a chat (NIGHT-105), with the public link once there is one: the night's page lets in its players only. */
function PickToPaste({ night, game }: { night: Night; game: string }) {
  const link = linkQuery(linkToPick(night.night_id))
  const url = useQuery({ ...link, enabled: night.status === 'decided' }).data?.url ?? ''
  const now = useNow()
  return (
    <CopyText
      label={pickToPaste.label}
      copy={pickToPaste.copy}
      value={pickText(night, game, url, now)}
      isLong
      other={
        night.planned ? { copy: pickToPaste.copyForDiscord, value: discordText(night, game, url) } : undefined
      }
    />
  )
}

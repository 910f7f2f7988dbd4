/** The message that tells others of a night, to copy (NIGHT-149, NIGHT-150). */
import { useEffect, useRef } from 'react'
import { invites, nightTell as text, pickToPaste } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { tellText, tellTextForDiscord, type ToldNight } from './tell-text.ts'

/** @param isMain whether telling is the next step */
export function TellMessage({
  night,
  url,
  isMain = false,
}: {
  night: ToldNight
  url: string
  isMain?: boolean
}) {
  const now = useNow()
  return (
    <CopyText
      label={text.label}
      copy={text.copy}
      value={tellText(night, url, now)}
      isLong
      isMain={isMain}
      other={{ copy: pickToPaste.copyForDiscord, value: tellTextForDiscord(night, url, now) }}
    />
  )
}

/** The last step of planning a night: `isByLink` when nobody was asked. */
export function TellOthers({
  night,
  url,
  isByLink,
  onDone,
}: {
  night: ToldNight
  url: string
  isByLink: boolean
  onDone: () => void
}) {
  // The button that had the focus is gone with the step before.
  const first = useRef<HTMLParagraphElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <>
      <p ref={first} tabIndex={-1} className="text-soft focus-visible:outline-none">
        {isByLink ? text.byLink : text.asked}
      </p>
      <TellMessage night={night} url={url} isMain />
      <CopyText label={invites.link} copy={invites.copy} value={url} />
      <Button onClick={onDone}>{text.toNight}</Button>
    </>
  )
}

/** Lines above the cards that lead elsewhere: back (LOGIN-10), and to the year that ends (LATELY-5). */
import { CalendarDays, X } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { dashboard as texts } from 'virtual:texts'
import { serverNow } from '../../clock.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink, IconButton } from '../../ui/forms/button.tsx'
import { remembered } from '../../ui/remembered.ts'
import { wantedPage } from '../../wanted-page.ts'

export function DismissibleLink({
  onDismiss,
  ...link
}: ComponentProps<typeof ButtonLink> & { onDismiss: () => void }) {
  return (
    <div className="flex items-center gap-2">
      <ButtonLink {...link} />
      <IconButton label={texts.wayBack.dismiss} onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

const WEEK = 7 * 24 * 60 * 60_000

/**
 * From December to the first week of January, unless there is a way back. No response decides that, so it has its place
 * from the start.
 */
export function YearLine() {
  const { steamId } = useSignedIn()
  const [now] = useState(serverNow)
  const year = new Date(now - WEEK).getUTCFullYear()
  const line = remembered('year_line', ['shown', `${year} dismissed`])
  const [isShown, setShown] = useState(
    now >= Date.UTC(year, 11) && line.read() === undefined && wantedPage(steamId) === undefined,
  )
  if (!isShown) return null
  return (
    <DismissibleLink
      to={`/my_games/year?year=${year}`}
      icon={<CalendarDays aria-hidden />}
      onDismiss={() => {
        line.write(`${year} dismissed`)
        setShown(false)
      }}
    >
      {texts.yearLine({ year: String(year) })}
    </DismissibleLink>
  )
}

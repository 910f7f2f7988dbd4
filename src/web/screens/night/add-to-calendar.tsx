/** A planned night as a calendar file (NIGHT-106). */
import { CalendarPlus, CalendarX } from 'lucide-react'
import { failedOutcome } from '../../layout/call-action.ts'
import { useNightCalendar } from '../../data/nights-outside.ts'
import type { Night } from '../../data/nights.ts'
import { nightCalendar as text } from '../../more-messages.ts'
import { OutcomeNotice, type Outcome, useAsyncAction } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { isPast, localTime } from '../../ui/night-time.ts'
import { useNow } from '../../ui/relative-time.tsx'
import { saveFile } from '../../ui/save-file.ts'

/** Nothing for nights that started when they were made, and for those that are past. */
export function AddToCalendar({ night }: { night: Night }) {
  const reading = useNightCalendar(night.night_id)
  const action = useAsyncAction()
  const now = useNow()
  const isCancelled = night.status === 'cancelled'
  // The file of a cancelled night removes the entry, as long as the night would be ahead.
  const isAhead = isCancelled ? Date.parse(night.starts_at) > now : !isPast(night, now)
  if (!night.planned || !isAhead) return null

  async function download(): Promise<Outcome | undefined> {
    try {
      const day = localTime(night.starts_at).slice(0, 10)
      saveFile(await reading.mutateAsync(), 'text/calendar', `game-night-${day}.ics`)
      return undefined
    } catch (error) {
      return failedOutcome(text.failed, error)
    }
  }

  return (
    <div className="grid gap-2">
      <Button
        icon={isCancelled ? <CalendarX aria-hidden /> : <CalendarPlus aria-hidden />}
        busy={action.busy}
        onClick={() => void action.start(download)}
      >
        {isCancelled ? text.cancel : text.add}
      </Button>
      <OutcomeNotice outcome={action.outcome} />
    </div>
  )
}

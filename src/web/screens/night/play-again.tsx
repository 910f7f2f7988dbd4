/** Starts another night with the same people a week later (MEMORY-8). */
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { groupsQueries } from '../../data/groups.ts'
import type { Night } from '../../data/nights.ts'
import { weekLater } from '../../layout/night-start/start-time.ts'
import type { StartWith } from '../../layout/night-start/start-with.ts'
import { nightMemory as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'
import { isPast } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'

const load = async () => (await import('../../layout/night-start/start-night-dialog.tsx')).StartNightDialog

/** Nothing before the night is decided or past, where it repeats anyway, and for who may not start a night of its group. */
export function PlayAgain({ night }: { night: Night }) {
  const { steamId: me } = useSignedIn()
  const { group, people, title, starts_at } = night
  const groups = useQuery({ ...groupsQueries.list(me), enabled: group !== null })
  const now = useNow()
  const asked = people.map(({ steam_id }) => steam_id)
  const startWith: StartWith = group ? { group, asked } : { friends: asked.filter((id) => id !== me) }
  const { open, dialog } = useLazyDialog(load, {
    startWith,
    startAs: { title, at: weekLater(starts_at, now) },
  })
  const mayStart =
    group === null ||
    groups.data?.some(({ group_id, joined }) => group_id === group.group_id && joined) === true
  if (night.series || !mayStart || (night.status !== 'decided' && !isPast(night, now))) return null
  return (
    <>
      <Button
        className="justify-self-start"
        icon={<CalendarPlus aria-hidden />}
        aria-haspopup="dialog"
        onClick={open}
      >
        {text.again}
      </Button>
      {dialog}
    </>
  )
}

/** Asking more people to a night that is not a group's (NIGHT-111): its button. */
import { UserPlus } from 'lucide-react'
import type { Night } from '../../data/nights.ts'
import { nights } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('./ask-people-dialog.tsx')).AskPeopleDialog

export function AskPeople({ night }: { night: Night }) {
  const { open, dialog } = useLazyDialog(load, { night })
  return (
    <>
      <Button
        className="justify-self-start"
        icon={<UserPlus aria-hidden />}
        aria-haspopup="dialog"
        onClick={open}
      >
        {nights.people.ask}
      </Button>
      {dialog}
    </>
  )
}

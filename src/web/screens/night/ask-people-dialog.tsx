/** The dialog that asks more people to a night of chosen people (NIGHT-111). */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import type { Friend, SteamId } from '#shared/entities.ts'
import { NIGHT_PLAYERS_MAX } from '#shared/limits.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { friendsQueries } from '../../data/friends.ts'
import { type Night, useAskPeople } from '../../data/nights.ts'
import { nightAsk as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { PeoplePicker } from '../../ui/people/people-picker.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'

export function AskPeopleDialog({ night, open, onClose }: DialogState & { night: Night }) {
  const { steamId } = useSignedIn()
  const friends = useQuery({ ...friendsQueries.stored(steamId), enabled: open })
  return (
    <Dialog open={open} title={text.title} onClose={onClose}>
      <Loaded query={friends} failed={text.failedToLoad} skeleton={<ListSkeleton rows={4} />}>
        {({ friends: list }) => <AskForm night={night} friends={list} onAsked={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function AskForm({
  night,
  friends,
  onAsked,
}: {
  night: Night
  friends: readonly Friend[]
  onAsked: () => void
}) {
  const asking = useAskPeople(night.night_id)
  const action = useAsyncAction()
  const form = useRef<HTMLFormElement>(null)
  const [wanted, setWanted] = useState<readonly SteamId[]>([])
  const asked = new Set(night.people.map((person) => person.steam_id))
  const others = friends.filter((friend) => !asked.has(friend.steam_id))
  // The dialog was opened before the friends were loaded.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  // Somebody who is chosen may come by the link meanwhile.
  const chosen = wanted.filter((id) => !asked.has(id))
  const room = NIGHT_PLAYERS_MAX - night.people.length
  const isTooMany = chosen.length > room
  const mayAsk = chosen.length > 0 && !isTooMany

  if (room <= 0) return <p className="text-soft">{text.full}</p>
  if (others.length === 0) return <p className="text-soft">{text.none}</p>

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!mayAsk) return
    void action.start(async () => {
      try {
        await asking.mutateAsync(chosen)
        onAsked()
        return undefined
      } catch (error) {
        return failedOutcome(text.failed, error)
      }
    })
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-3">
      <PeoplePicker
        friends={others}
        chosen={chosen}
        onToggle={(id) =>
          setWanted(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
        }
        label={text.find}
        listLabel={text.list}
      />
      {/* Its room is there always, so that the form does not move while one chooses. */}
      <p role="status" className={`min-h-5 text-sm ${isTooMany ? 'text-rose' : 'text-soft'}`}>
        {isTooMany ? text.room({ room }) : chosen.length === 0 && text.choose}
      </p>
      <OutcomeNotice outcome={action.outcome} />
      <Button type="submit" variant="primary" disabled={!mayAsk} busy={action.busy} busyLabel={text.asking}>
        {text.ask({ count: chosen.length })}
      </Button>
    </form>
  )
}

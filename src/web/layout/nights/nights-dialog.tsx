/** All game nights of a person or a group, in a dialog: current ones, and past ones with who came (NIGHT-104). */
import { useId } from 'react'
import type { NightSummary } from '#shared/nights/entities.ts'
import { messages } from '../../messages.ts'
import { nightLists as text } from '../../messages/night-lists.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { DialogState } from '../../ui/lazy-dialog.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { useNow } from '../../ui/relative-time.tsx'
import { partsOf } from './night-lists.ts'
import { NightRow } from './night-row.tsx'

export function NightsDialog({
  nights,
  ofGroup,
  open,
  onClose,
}: DialogState & { nights: readonly NightSummary[]; ofGroup: boolean }) {
  const { current, past } = partsOf(nights, useNow())
  const decided = current.filter(({ status }) => status === 'decided')
  const upcoming = current.filter(({ status }) => status !== 'decided')
  return (
    <Dialog open={open} title={text.allTitle} closeLabel={messages.close} onClose={onClose}>
      <Part title={text.upcoming} nights={upcoming} ofGroup={ofGroup} />
      <Part title={text.decided} nights={decided} ofGroup={ofGroup} />
      <Part title={text.past} nights={past} ofGroup={ofGroup} />
    </Dialog>
  )
}

function Part({
  title,
  nights,
  ofGroup,
}: {
  title: string
  nights: readonly NightSummary[]
  ofGroup: boolean
}) {
  const heading = useId()
  if (nights.length === 0) return null
  return (
    <section aria-labelledby={heading} className="grid gap-1">
      <h3 id={heading} className="text-sm font-semibold text-soft">
        {title}
      </h3>
      <ul aria-labelledby={heading} className="-mx-2.5 grid gap-1">
        {nights.map((night) => (
          <li key={night.night_id} className="min-w-0">
            <NightRow night={night} ofGroup={ofGroup} isWhole />
            <Company night={night} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Names shown of those who came; the rest are counted. */
const NAMES = 6

/** Who is in, or was, and who of them then played the pick together. */
function Company({ night: { came, played_together } }: { night: NightSummary }) {
  const together = new Set(played_together)
  const players = came.filter(({ steam_id }) => together.has(steam_id))
  return (
    <div className="grid gap-0.5 px-2.5 pb-2 text-sm text-soft empty:hidden">
      {came.length > 0 && (
        <p>
          {text.came} <Names people={came} />
        </p>
      )}
      {players.length > 0 && (
        <p className="text-mint">
          {text.together} <Names people={players} />
        </p>
      )}
    </div>
  )
}

function Names({ people }: { people: NightSummary['came'] }) {
  const rest = people.length - NAMES
  return (
    <>
      {people.slice(0, NAMES).map((person, nth) => (
        <span key={person.steam_id}>
          {nth > 0 && ', '}
          <Name>{nameOf(person)}</Name>
        </span>
      ))}
      {rest > 0 && ` ${text.more(rest)}`}
    </>
  )
}

/** The nights of one host that a list leaves out, and the way to leave them all (NIGHT-117). */
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, LogOut } from 'lucide-react'
import { useId, useState } from 'react'
import type { NightSummary } from '#shared/nights/entities.ts'
import { useCallAction } from '../call-action.ts'
import type { NightList, NightListOf } from '../../data/night-lists.ts'
import { nightsFromQuery, useLeaveNightsFrom } from '../../data/whole-night-lists.ts'
import { nightLists } from '../../messages.ts'
import { wholeNightLists as text } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { nightCard, nightGrid, NightRow } from './night-row.tsx'

/** @param shown the nights that stand in the list already */
export function MoreFrom({
  host,
  of,
  shown,
  onLeft,
}: {
  host: NightList['more_from'][number]
  of: NightListOf
  shown: readonly NightSummary[]
  onLeft: () => void
}) {
  const { steamId } = useSignedIn()
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({ ...nightsFromQuery(of, host.steam_id), enabled: isOpen })
  const leaving = useLeaveNightsFrom(steamId, host.steam_id)
  const action = useCallAction()
  const id = useId()
  const standing = new Set(shown.map((night) => night.night_id))
  const label = (
    <Sentence text={text.moreFrom} values={{ count: host.count, host: <Name>{nameOf(host)}</Name> }} />
  )
  return (
    <section className="grid gap-2">
      <Button
        variant="quiet"
        className="max-w-full justify-self-start px-2!"
        icon={<ChevronDown aria-hidden className={`transition ${isOpen ? 'rotate-180' : ''}`} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="line-clamp-1">{label}</span>
      </Button>
      <div id={id} hidden={!isOpen} className="grid gap-2">
        <Loaded query={query} failed={nightLists.failed} skeleton={<RowSkeleton />}>
          {(nights) => (
            <>
              <ul className={nightGrid}>
                {nights
                  .filter((night) => !standing.has(night.night_id))
                  .map((night) => (
                    <li key={night.night_id} className={nightCard}>
                      <NightRow night={night} ofGroup={'groupId' in of} isWhole />
                    </li>
                  ))}
              </ul>
              {nights.some((night) => night.is_mine) && (
                <ConfirmButton
                  variant="danger"
                  className="justify-self-start"
                  icon={<LogOut aria-hidden />}
                  busy={action.busy}
                  question={text.leaveAllTitle}
                  consequence={text.leaveAllText}
                  onConfirm={action.run(() => leaving.mutateAsync().then(onLeft), {
                    failed: text.leaveAllFailed,
                  })}
                >
                  {text.leaveAll}
                </ConfirmButton>
              )}
            </>
          )}
        </Loaded>
        <OutcomeNotice outcome={action.outcome} />
      </div>
    </section>
  )
}

function RowSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-4 w-1/2" />
    </Loading>
  )
}

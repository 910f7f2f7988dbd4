/**
 * How many members the common games are of, in one line that opens and says who is not counted, why, and what to do about
 * it (GPAGE-19).
 * Requirements: GPAGE-31.
 */
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, RefreshCw } from 'lucide-react'
import type { GroupMember } from '#shared/entities.ts'
import { countedOf, missingMembers, type MissingMember, type MissingReason } from '../../data/common-games.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages, group as groupTexts, library as libraryTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { whyOthersDiffer } from '../../ui/people/people.ts'
import { PrivateHelp } from '../../ui/people/private-help.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { GroupSyncResult, type GroupSyncing } from './group-actions.tsx'

const texts = libraryTexts
const reasons: MissingReason[] = ['never', 'private', 'unjoined', 'unseen', 'hidden']
/** Names shown for each reason; the list of members shows the others. */
const NAMES_SHOWN = 4

/** Nothing to open where everybody is counted, for everybody; nothing at all for a group of one that is counted. */
export function Counted({ members, sync }: { members: readonly GroupMember[]; sync: GroupSyncing }) {
  const { steamId } = useSignedIn()
  const base = countedOf(members, steamId)
  const { counted, all } = base
  const missing = missingMembers(members, steamId)
  const why = all > 1 ? whyOthersDiffer(base) : ''
  if (missing.length === 0 && why === '')
    return all > 1 && <p className="text-sm text-soft">{groupTexts.counted({ counted, all })}</p>
  return (
    <details className="group/fold -my-2 text-sm open:mb-0">
      <summary
        className={`flex min-h-11 w-fit list-none items-center gap-1 rounded-chip font-semibold [&::-webkit-details-marker]:hidden ${counted < all ? 'text-amber' : 'text-soft'}`}
      >
        {groupTexts.counted({ counted, all })}
        {why && `, ${why}`}
        <ChevronRight aria-hidden className="size-4 shrink-0 transition group-open/fold:rotate-90" />
      </summary>
      <div
        role="group"
        aria-label={groupTexts.missingTitle}
        className="mt-2 grid gap-3 rounded-card border border-amber/30 bg-amber/5 p-4"
      >
        {reasons.map((reason) => (
          <Missing
            key={reason}
            reason={reason}
            members={missing.filter((one) => one.reason === reason)}
            sync={sync}
          />
        ))}
        {why && <p className="max-w-[75ch] text-soft">{groupTexts.mayDiffer}</p>}
        {sync.from === 'missing' && <GroupSyncResult sync={sync} />}
      </div>
    </details>
  )
}

function Missing({
  reason,
  members,
  sync,
}: {
  reason: MissingReason
  members: readonly MissingMember[]
  sync: GroupSyncing
}) {
  const { steamId } = useSignedIn()
  if (members.length === 0) return null
  const rest = members.length - NAMES_SHOWN
  return (
    <div className="grid gap-1">
      <ul className="grid gap-0.5">
        {members.slice(0, NAMES_SHOWN).map(({ member }) => (
          <li key={member.steam_id} className="font-medium">
            {member.steam_id !== steamId || reason === 'unjoined' || reason === 'unseen' ? (
              <Sentence text={texts.theirs[reason]} values={{ name: <Name>{nameOf(member)}</Name> }} />
            ) : (
              texts.mine[reason]
            )}
          </li>
        ))}
        {rest > 0 && <li className="text-soft">{messages.andMore({ count: rest })}</li>}
      </ul>
      <p className="max-w-[75ch] text-soft">{texts.remedy[reason]}</p>
      {reason === 'never' && <SyncNow sync={sync} />}
      {reason === 'private' && (
        <PrivateHelp people={members.slice(0, NAMES_SHOWN).map(({ member }) => member)} />
      )}
    </div>
  )
}

/** Syncs the group from here, if syncs are left. */
function SyncNow({ sync }: { sync: GroupSyncing }) {
  const { data } = useQuery(syncQueries.status(useSignedIn().steamId))
  if (data?.left === 0) return <p className="text-soft">{groupTexts.noSyncLeft}</p>
  return (
    <Button
      className="justify-self-start"
      icon={<RefreshCw aria-hidden />}
      busy={sync.busy}
      busyLabel={groupTexts.syncingNow}
      onClick={() => sync.start('missing')}
    >
      {groupTexts.syncNow}
    </Button>
  )
}

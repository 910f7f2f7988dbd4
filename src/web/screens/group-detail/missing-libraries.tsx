/**
 * Members who are not counted, why, and what to do about it (GPAGE-19).
 * Requirements: GPAGE-31.
 */
import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { GroupMember } from '#shared/entities.ts'
import { missingMembers, type MissingMember, type MissingReason } from '../../data/common-games.ts'
import { syncQueries } from '../../data/sync.ts'
import { messages } from '../../messages.ts'
import { group as groupTexts, library as libraryTexts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { PrivateHelp } from '../../ui/private-help.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import type { GroupSyncing } from './group-actions.tsx'

const texts = libraryTexts
const reasons: MissingReason[] = ['never', 'private', 'unjoined', 'unseen', 'hidden']
/** Names shown for each reason; the list of members shows the others. */
const NAMES_SHOWN = 4

/** Nothing when every library is known. */
export function MissingLibraries({ members, sync }: { members: readonly GroupMember[]; sync: GroupSyncing }) {
  const { steamId } = useSignedIn()
  const missing = missingMembers(members, steamId)
  if (missing.length === 0) return null
  return (
    <div
      role="group"
      aria-labelledby="missing"
      className="grid gap-3 rounded-card border border-amber/30 bg-amber/5 p-4 text-sm"
    >
      <p id="missing" className="font-semibold text-amber">
        {groupTexts.missingTitle}
      </p>
      {reasons.map((reason) => (
        <Missing
          key={reason}
          reason={reason}
          members={missing.filter((one) => one.reason === reason)}
          sync={sync}
        />
      ))}
    </div>
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
      onClick={sync.start}
    >
      {groupTexts.syncNow}
    </Button>
  )
}

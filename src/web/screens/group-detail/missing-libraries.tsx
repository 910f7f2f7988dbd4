/** Members who are not counted, why, and what to do about it (GPAGE-19). */
import type { GroupMember } from '#shared/entities.ts'
import { missingMembers, type MissingMember, type MissingReason } from '../../data/common-games.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Name, nameOf } from '../../ui/name.tsx'

const texts = messages.library
const reasons: MissingReason[] = ['never', 'private', 'unjoined', 'unseen', 'hidden']
/** Names shown for each reason; the list of members shows the others. */
const NAMES_SHOWN = 4

/** Nothing when every library is known. */
export function MissingLibraries({ members }: { members: readonly GroupMember[] }) {
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
        {messages.group.missingTitle}
      </p>
      {reasons.map((reason) => (
        <Missing key={reason} reason={reason} members={missing.filter((one) => one.reason === reason)} />
      ))}
    </div>
  )
}

function Missing({ reason, members }: { reason: MissingReason; members: readonly MissingMember[] }) {
  const { steamId } = useSignedIn()
  if (members.length === 0) return null
  const rest = members.length - NAMES_SHOWN
  return (
    <div className="grid gap-1">
      <ul className="grid gap-0.5">
        {members.slice(0, NAMES_SHOWN).map(({ member }) => (
          <li key={member.steam_id} className="font-medium">
            {member.steam_id !== steamId || reason === 'unjoined' || reason === 'unseen' ? (
              <>
                <Name>{nameOf(member)}</Name>
                {texts.afterName[reason]}
              </>
            ) : (
              texts.mine[reason]
            )}
          </li>
        ))}
        {rest > 0 && <li className="text-soft">{messages.andMore(rest)}</li>}
      </ul>
      <p className="max-w-[75ch] text-soft">{texts.remedy[reason]}</p>
    </div>
  )
}

/** Making a new user's first group (LOOK-31). */
import { formatTime } from '../../format.ts'
import { useAddMembers, useCreateGroup } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { group, groups, dashboard } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'

export type FirstGroup = ReturnType<typeof useFirstGroup>

/** Makes the first group of the chosen friends; `onMade` gets its id as soon as it has its members. */
export function useFirstGroup(onMade: (groupId: number) => void) {
  const { steamId, displayName } = useSignedIn()
  const creation = useCreateGroup(steamId)
  const addition = useAddMembers(steamId)
  const { busy, outcome, start } = useAsyncAction()

  async function make(steamIds: string[]): Promise<Outcome | undefined> {
    try {
      const { group_id } = await creation.mutateAsync(suggestedGroupName(new Date(), displayName))
      try {
        await addition.mutateAsync({ groupId: group_id, steamIds })
      } catch (error) {
        return failed(error, group.memberAddFailed)
      }
      onMade(group_id)
      return undefined
    } catch (error) {
      return failed(error, groups.createFailed)
    }
  }
  return { busy, outcome, make: (steamIds: string[]) => void start(() => make(steamIds)) }
}

function failed(error: unknown, text: string): Outcome {
  return { tone: 'error', text, reason: failureText(error, '') || undefined }
}

/**
 * 'Mira’s Friday night': the name suggested for a group that plays tonight. By whom it is told apart from those that
 * others make.
 */
export function suggestedGroupName(now: Date, maker: string | undefined): string {
  const day = formatTime(now, { weekday: 'long' })
  return maker === undefined ? dashboard.groupName({ day }) : dashboard.groupNameOf({ day, name: maker })
}

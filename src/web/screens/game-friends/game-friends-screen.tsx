import { messages } from '../../messages.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'

/** Placeholder of SPEC.md's screen. */
export function GameFriendsScreen() {
  return (
    <Screen title={messages.gameFriends.unknownGame}>
      <EmptyState>This screen is on its way.</EmptyState>
    </Screen>
  )
}

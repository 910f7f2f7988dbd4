import { messages } from '../../messages.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Screen } from '../../ui/screen.tsx'

/** Placeholder of SPEC.md's screen. */
export function GameComparisonScreen() {
  return (
    <Screen title={messages.comparison.title}>
      <EmptyState>This screen is on its way.</EmptyState>
    </Screen>
  )
}

/** The theme of the pages, kept with the account (LOOK-37). */
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Theme } from '#shared/contract/privacy.ts'
import { accountQueries, useChangeSettings } from '../../data/account.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { ThemeChoice } from '../../layout/theme-choice.tsx'
import { messages } from '../../messages.ts'
import { account as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { forgetUnsavedTheme, showTheme } from '../../theme.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/async-action.tsx'
import { Card } from '../../ui/card.tsx'

/** A choice is shown at once, then saved, and reverted if that fails. */
export function ThemeCard() {
  const { steamId } = useSignedIn()
  const client = useQueryClient()
  const change = useChangeSettings(steamId)
  const action = useAsyncAction()
  const choicesMade = useRef(0)

  function choose(theme: Theme) {
    showTheme(theme)
    forgetUnsavedTheme()
    const choice = ++choicesMade.current
    void action.queue(async () => {
      try {
        await change.mutateAsync({ theme })
        return { tone: 'success', text: texts.saved }
      } catch (error) {
        const before = client.getQueryData(accountQueries.settings(steamId).queryKey)?.theme
        if (before && choice === choicesMade.current) showTheme(before)
        return failedOutcome(messages.saveFailed, error)
      }
    })
  }

  return (
    <Card title={messages.theme.title}>
      <p className="text-sm text-soft">{texts.themeHint}</p>
      <ThemeChoice onChoose={choose} />
      <OutcomeNotice outcome={action.outcome} />
    </Card>
  )
}

/** The look of the pages, kept with the account: theme and language (LOOK-36, LANG-1). */
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Settings, Theme } from '#shared/contract/privacy.ts'
import type { Language } from '#shared/languages.ts'
import { accountQueries, useChangeSettings } from '../../data/account.ts'
import { forgetUnsavedLanguage, showLanguage } from '../../language.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { LanguageChoice } from '../../layout/language-choice.tsx'
import { ThemeChoice } from '../../layout/theme-choice.tsx'
import { messages } from '../../messages.ts'
import { account as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { forgetUnsavedTheme, showTheme } from '../../theme.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/async-action.tsx'
import { Card } from '../../ui/card.tsx'

/** A theme is shown at once, then saved, and reverted if that fails; a language is shown when it is saved. */
export function LookCard() {
  const { steamId } = useSignedIn()
  const client = useQueryClient()
  const change = useChangeSettings(steamId)
  const action = useAsyncAction()
  const choicesMade = useRef(0)

  function save(settings: Partial<Settings>, revert: () => void, afterwards?: () => void) {
    void action.queue(async () => {
      try {
        await change.mutateAsync(settings)
        afterwards?.()
        return { tone: 'success', text: texts.saved }
      } catch (error) {
        revert()
        return failedOutcome(messages.saveFailed, error)
      }
    })
  }

  function chooseTheme(theme: Theme) {
    showTheme(theme)
    forgetUnsavedTheme()
    const choice = ++choicesMade.current
    save({ theme }, () => {
      const before = client.getQueryData(accountQueries.settings(steamId).queryKey)?.theme
      if (before && choice === choicesMade.current) showTheme(before)
    })
  }

  function chooseLanguage(language: Language | null) {
    forgetUnsavedLanguage()
    save(
      { language },
      () => undefined,
      () => showLanguage(language),
    )
  }

  return (
    <Card title={messages.theme.title}>
      <p className="text-sm text-soft">{texts.themeHint}</p>
      <ThemeChoice onChoose={chooseTheme} />
      <LanguageChoice onChoose={chooseLanguage} />
      <OutcomeNotice outcome={action.outcome} />
    </Card>
  )
}

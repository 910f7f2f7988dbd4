/** Account (ROUTE-3): who sees the library (VIS-1), the look (LOOK-36, LANG-1), hidden games and the export. */
import { ArrowRight, Download } from 'lucide-react'
import { account as texts, messages, theme as themeTexts } from 'virtual:texts'
import { ButtonLink, Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { CalendarCard, NotificationsCard } from './notifications-card.tsx'
import { DeleteAccountCard, SessionsCard } from './sessions-card.tsx'
import { HiddenGamesCard } from './hidden-games-card.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { accountQueries, useChangeSettings, useExport } from '../../data/account.ts'
import { useSignedIn } from '../../session.ts'
import { useRef, useState } from 'react'
import type { Settings, Theme, LibraryVisibility } from '#shared/contract/privacy.ts'
import { countries } from '#shared/countries.ts'
import type { Language } from '#shared/languages.ts'
import { forgetUnsavedLanguage, showLanguage } from '../../language.ts'
import { failedOutcome, useCallAction } from '../../layout/call-action.ts'
import { LanguageChoice } from '../../layout/language-choice.tsx'
import { ThemeChoice } from '../../layout/theme-choice.tsx'
import { countryName } from '../../format.ts'
import { forgetUnsavedTheme, showTheme } from '../../theme.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { RadioChoices } from '../../ui/forms/segmented.tsx'
import { Toggle } from '../../ui/forms/toggle.tsx'
import { selectLook } from '../../ui/looks.ts'

export function AccountScreen() {
  return (
    <Screen title={texts.title} lead={texts.lead}>
      {/* Three columns, of which the first two stand in one on smaller screens. */}
      <div className="grid items-start gap-6 xl:grid-cols-2 vast:grid-cols-3">
        <div className="grid min-w-0 gap-6">
          <VisibilityCard />
          <WishlistCard />
          <LookCard />
          <NotificationsCard />
        </div>
        {/* Alone: the number of sessions is not known before they come. */}
        <div className="grid min-w-0 xl:row-start-2 vast:col-start-2 vast:row-start-1">
          <SessionsCard />
        </div>
        <div className="grid min-w-0 gap-6 xl:col-start-2 xl:row-span-2 xl:row-start-1 vast:col-start-3">
          {/* Beside the visibility on wide screens. */}
          <HiddenGamesCard />
          <CalendarCard />
          <Card title={texts.privacy}>
            <p className="text-sm text-soft">{texts.privacyHint}</p>
            <ButtonLink to="/privacy" className="self-start" icon={<ArrowRight aria-hidden />}>
              {texts.privacyLink}
            </ButtonLink>
          </Card>
          <ExportCard />
          <DeleteAccountCard />
          <OperatorCard />
        </div>
      </div>
    </Screen>
  )
}

function OperatorCard() {
  const settings = useQuery(accountQueries.settings(useSignedIn().steamId))
  if (settings.data?.is_operator !== true) return null
  return (
    <Card title={texts.operator}>
      <p className="text-sm text-soft">{texts.operatorHint}</p>
      <ButtonLink to="/operator" className="self-start" icon={<ArrowRight aria-hidden />}>
        {texts.operatorLink}
      </ButtonLink>
    </Card>
  )
}

/** A theme is shown at once, then saved, and reverted if that fails; a language is shown when it is saved. */
function LookCard() {
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
    <Card title={themeTexts.title}>
      <p className="text-sm text-soft">{texts.themeHint}</p>
      <ThemeChoice onChoose={chooseTheme} />
      <LanguageChoice onChoose={chooseLanguage} />
      <CountryChoice onChoose={(country) => save({ country }, () => undefined)} />
      <OutcomeNotice outcome={action.outcome} />
    </Card>
  )
}

/** The country whose prices are shown. */
function CountryChoice({ onChoose }: { onChoose: (country: string | null) => void }) {
  const settings = useQuery(accountQueries.settings(useSignedIn().steamId)).data
  const listed = countries
    .map((code) => ({ code, name: countryName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name))
  return (
    <label className="flex flex-wrap items-center gap-2 text-sm text-soft">
      <span>{texts.country}</span>
      <select
        key={settings ? 'known' : 'unknown'}
        className={selectLook}
        disabled={!settings}
        defaultValue={settings?.country ?? ''}
        onChange={({ target }) => onChoose(target.value || null)}
      >
        <option value="" className="bg-deep">
          {settings && texts.serverCountry({ country: countryName(settings.server_country) })}
        </option>
        {listed.map(({ code, name }) => (
          <option key={code} value={code} className="bg-deep">
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A choice is saved at once, and reverted if that fails. */
function VisibilityCard() {
  const { steamId } = useSignedIn()
  const settings = useQuery(accountQueries.settings(steamId))
  const change = useChangeSettings(steamId)
  const action = useAsyncAction()
  const choicesMade = useRef(0)
  // Shown at once, before it is saved.
  const [wanted, setWanted] = useState<LibraryVisibility>()

  function choose(visibility: LibraryVisibility) {
    setWanted(visibility)
    const choice = ++choicesMade.current
    void action.queue(async () => {
      const outcome = await save(visibility)
      // After several quick choices only the last one matters: it stays shown until it is saved.
      if (choice !== choicesMade.current) return undefined
      setWanted(undefined)
      return outcome
    })
  }

  async function save(visibility: LibraryVisibility): Promise<Outcome> {
    try {
      await change.mutateAsync({ library_visibility: visibility })
      return { tone: 'success', text: texts.saved }
    } catch (error) {
      return failedOutcome(messages.saveFailed, error)
    }
  }

  return (
    <Card title={texts.visibility}>
      <Loaded
        query={settings}
        failed={texts.settingsFailed}
        skeleton={<Choices chosen={undefined} onChoose={() => undefined} />}
      >
        {({ library_visibility }) => <Choices chosen={wanted ?? library_visibility} onChoose={choose} />}
      </Loaded>
      <OutcomeNotice outcome={action.outcome} />
    </Card>
  )
}

/** Whether the user's Steam wishlist is read, and what came of it (WISH-5). */
function WishlistCard() {
  const { steamId } = useSignedIn()
  const settings = useQuery(accountQueries.wishlist(steamId)).data
  const change = useChangeSettings(steamId)
  const { outcome, run } = useCallAction()
  const choose = (wishlist: boolean) =>
    run(() => change.mutateAsync({ wishlist }), { failed: messages.saveFailed, done: texts.saved })()
  const state = settings?.wishlist_state
  return (
    <Card title={texts.wishlist}>
      <p className="text-sm text-soft">{texts.wishlistHint}</p>
      <div>
        <Toggle checked={settings?.wishlist ?? false} disabled={!settings} onChange={choose}>
          {texts.wishlistRead}
        </Toggle>
      </div>
      {state && (
        <p className="text-sm text-soft">
          {state === 'ok'
            ? texts.wishlistStates.ok({ count: settings.wishlist_games })
            : texts.wishlistStates[state]}
        </p>
      )}
      <OutcomeNotice outcome={outcome} />
    </Card>
  )
}

function Choices({
  chosen,
  onChoose,
}: {
  chosen: LibraryVisibility | undefined
  onChoose: (visibility: LibraryVisibility) => void
}) {
  return (
    <RadioChoices
      legend={<legend className="mb-3 text-sm text-soft">{texts.visibilityHint}</legend>}
      choices={texts.visibilities}
      chosen={chosen}
      onChoose={onChoose}
    />
  )
}

function ExportCard() {
  const { steamId } = useSignedIn()
  const everything = useExport(steamId)
  const action = useAsyncAction()

  async function download(): Promise<Outcome> {
    try {
      const data = JSON.stringify(await everything.mutateAsync(), undefined, 2)
      saveFile(data, 'application/json', `shelfmates-${steamId}.json`)
      return { tone: 'success', text: texts.exported }
    } catch (error) {
      return failedOutcome(texts.exportFailed, error)
    }
  }

  return (
    <Card title={texts.export}>
      <p className="text-sm text-soft">{texts.exportHint}</p>
      <OutcomeNotice outcome={action.outcome} />
      <Button
        icon={<Download aria-hidden />}
        className="self-start"
        busy={action.busy}
        busyLabel={texts.exporting}
        onClick={() => void action.start(download)}
      >
        {texts.exportButton}
      </Button>
    </Card>
  )
}

/** Saves a text as a file. An ordinary link cannot do it, because the request needs the bearer token. */
function saveFile(text: string, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // In a later task, after the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url))
}

/** The setting of who can see the user's library (VIS-1). */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { LibraryVisibility } from '#shared/contract/privacy.ts'
import { accountQueries, useChangeSettings } from '../../data/account.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { messages } from '../../messages.ts'
import { account as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { RadioChoices } from '../../ui/radio-choices.tsx'

/** A choice is saved at once, and reverted if that fails. */
export function VisibilityCard() {
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

/** The setting of who can see the user's library (VIS-1). */
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { LibraryVisibility } from '#shared/contract/privacy.ts'
import { accountQueries, useChangeVisibility } from '../../data/account.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { account as texts } from '../../messages/account.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'

const choices = Object.entries(texts.visibilities) as [LibraryVisibility, { label: string; about: string }][]

/** A choice is saved at once, and reverted if that fails. */
export function VisibilityCard() {
  const { steamId } = useSignedIn()
  const settings = useQuery(accountQueries.settings(steamId))
  const change = useChangeVisibility(steamId)
  const action = useAsyncAction()
  const choicesMade = useRef(0)
  // Shown at once, before it is saved.
  const [wanted, setWanted] = useState<LibraryVisibility>()
  const name = useId()

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
      await change.mutateAsync(visibility)
      return { tone: 'success', text: texts.visibilitySaved }
    } catch (error) {
      return {
        tone: 'error',
        text: messages.saveFailed,
        reason: failureText(error, messages.somethingWrong),
      }
    }
  }

  return (
    <Card title={texts.visibility}>
      <Loaded
        query={settings}
        failed={texts.settingsFailed}
        skeleton={<Choices name={name} chosen={undefined} onChoose={() => undefined} />}
      >
        {({ library_visibility }) => (
          <Choices name={name} chosen={wanted ?? library_visibility} onChoose={choose} />
        )}
      </Loaded>
      <OutcomeNotice outcome={action.outcome} />
    </Card>
  )
}

/** The choices; disabled while `chosen` is not known. */
function Choices({
  name,
  chosen,
  onChoose,
}: {
  name: string
  chosen: LibraryVisibility | undefined
  onChoose: (visibility: LibraryVisibility) => void
}) {
  return (
    <fieldset disabled={chosen === undefined} className="grid gap-2">
      <legend className="mb-3 text-sm text-soft">{texts.visibilityHint}</legend>
      {choices.map(([value, { label, about }]) => (
        <label
          key={value}
          className="flex cursor-pointer items-start gap-3 rounded-control border border-line/70 p-3.5 transition hover:border-edge has-checked:border-violet/70 has-checked:bg-violet-deep/25 has-focus-visible:outline-2 has-focus-visible:outline-mint"
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={chosen === value}
            onChange={() => onChoose(value)}
            className="radio-dot mt-1 shrink-0 focus-visible:outline-none"
          />
          <span className="grid min-w-0">
            <span className="font-medium">{label}</span>
            <span className="text-sm text-soft">{about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

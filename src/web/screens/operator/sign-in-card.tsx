/** Who may sign in, and signing everyone out (OPER-7). */
import { useQuery } from '@tanstack/react-query'
import { LogOut, Save } from 'lucide-react'
import { useId, useRef, useState, type FormEvent } from 'react'
import type { SignInRuleShown, WhoSignsIn } from '#shared/contract/operator.ts'
import { steamIdIn } from '#shared/steam-id.ts'
import { operatorQueries, useOperatorActions } from '../../data/operator.ts'
import { operator as texts } from 'virtual:texts'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { inputLook } from '../../ui/looks.ts'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { RadioChoices } from '../../ui/forms/segmented.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { type Asked, useReasoned } from './group-moderation.tsx'

export function SignInCard() {
  const rule = useQuery(operatorQueries.signIn())
  const { setSignIn, signOutEveryone } = useOperatorActions()
  const { ask, notice, dialog } = useReasoned()
  return (
    <Card title={texts.signIn}>
      <p className="text-sm text-soft">{texts.signInHint}</p>
      {notice}
      <Loaded query={rule} failed={texts.signInFailed} skeleton={<ListSkeleton rows={3} />}>
        {(known) => (
          <Form
            rule={known}
            onAsk={ask}
            onSave={(who, steam_ids, reason) => setSignIn.mutateAsync({ who, steam_ids, reason })}
          />
        )}
      </Loaded>
      <Button
        variant="danger"
        icon={<LogOut aria-hidden />}
        className="self-start"
        aria-haspopup="dialog"
        onClick={() =>
          ask({
            title: texts.signOutEveryoneTitle,
            text: texts.signOutEveryoneText,
            confirmLabel: texts.signOutEveryone,
            run: (reason) => signOutEveryone.mutateAsync(reason),
            done: texts.signedOutEveryone,
          })
        }
      >
        {texts.signOutEveryone}
      </Button>
      {dialog}
    </Card>
  )
}

function Form({
  rule,
  onAsk,
  onSave,
}: {
  rule: SignInRuleShown
  onAsk: (asked: Asked) => void
  onSave: (who: WhoSignsIn, steamIds: string[], reason: string) => Promise<SignInRuleShown>
}) {
  const name = useId()
  const [who, setWho] = useState(rule.who)
  const [list, setList] = useState(textOf(rule))
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)

  async function save(ids: string[], reason: string) {
    const saved = await onSave(who, ids, reason)
    setList(textOf(saved))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    // With another rule the list stays as it is, whatever was typed before.
    const lines = who === 'listed' ? list.split(/[\n,]/).map((line) => line.trim()) : rule.steam_ids
    const typed = lines.filter((line) => line !== '')
    const wrong = typed.find((line) => steamIdIn(line) === undefined)
    setProblem(wrong === undefined ? undefined : texts.listInvalid({ line: wrong }))
    if (wrong !== undefined) return field.current?.focus()
    const ids = typed.map((line) => steamIdIn(line)).filter((id) => id !== undefined)
    onAsk({
      title: texts.saveSignInTitle,
      text: texts.saveSignInText,
      subject: texts.who[who].label,
      confirmLabel: texts.saveSignIn,
      isHarmless: true,
      run: (reason) => save(ids, reason),
      done: texts.signInSaved,
    })
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <RadioChoices
        legend={<legend className="sr-only">{texts.signIn}</legend>}
        choices={texts.who}
        chosen={who}
        onChoose={setWho}
      />
      {who === 'listed' && (
        <div className="grid gap-1.5">
          <label htmlFor={`${name}-list`} className="text-sm font-medium text-soft">
            {texts.list}
          </label>
          <textarea
            ref={field}
            id={`${name}-list`}
            rows={5}
            spellCheck={false}
            value={list}
            aria-invalid={problem !== undefined || undefined}
            aria-describedby={problem === undefined ? undefined : `${name}-problem`}
            onChange={(event) => setList(event.target.value)}
            className={`${inputLook} tabular-nums`}
          />
          {problem !== undefined && (
            <p id={`${name}-problem`} role="alert" className="text-sm text-rose">
              {problem}
            </p>
          )}
          {rule.deleted > 0 && (
            <p className="text-sm text-soft">{texts.deletedListed({ count: rule.deleted })}</p>
          )}
        </div>
      )}
      <Button type="submit" icon={<Save aria-hidden />} className="justify-self-start" aria-haspopup="dialog">
        {texts.saveSignIn}
      </Button>
    </form>
  )
}

const textOf = ({ steam_ids }: SignInRuleShown) => steam_ids.join('\n')

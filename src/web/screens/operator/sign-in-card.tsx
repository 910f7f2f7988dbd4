/** Who may sign in, and signing everyone out (OPER-7). */
import { useQuery } from '@tanstack/react-query'
import { LogOut, Save } from 'lucide-react'
import { useId, useRef, useState, type FormEvent } from 'react'
import type { SignInRuleShown, WhoSignsIn } from '#shared/contract/operator.ts'
import { steamIdIn } from '#shared/steam-id.ts'
import { operatorQueries, useOperatorActions } from '../../data/operator.ts'
import { operator as texts } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { inputLook } from '../../ui/looks.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { RadioChoices } from '../../ui/radio-choices.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'
import { type Asked, useReasoned } from './reasoned.tsx'
import { formatList } from '../../format.ts'

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
            onSave={(who, steam_ids, reason) =>
              setSignIn.mutateAsync({ who, steam_ids, reason, version: known.version })
            }
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
  /** The rule that was there when editing began. */
  const [base, setBase] = useState(rule)
  const [who, setWho] = useState(rule.who)
  const [list, setList] = useState(textOf(rule))
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)

  const isEdited = who !== base.who || list !== textOf(base)
  const isChanged = rule.version !== base.version && !isSaving

  function show(saved: SignInRuleShown) {
    setBase(saved)
    setWho(saved.who)
    setList(textOf(saved))
    setProblem(undefined)
  }
  // What another operator has saved replaces what is shown, but not what was typed.
  if (isChanged && !isEdited) show(rule)

  async function save(ids: string[], reason: string) {
    setSaving(true)
    try {
      show(await onSave(who, ids, reason))
    } finally {
      setSaving(false)
    }
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
      <div role="status">
        {isChanged && isEdited && <ChangedMeanwhile before={base} after={rule} onTake={() => show(rule)} />}
      </div>
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

/** What another operator has saved since editing began. */
function ChangedMeanwhile({
  before,
  after,
  onTake,
}: {
  before: SignInRuleShown
  after: SignInRuleShown
  onTake: () => void
}) {
  const added = after.steam_ids.filter((id) => !before.steam_ids.includes(id))
  const removed = before.steam_ids.filter((id) => !after.steam_ids.includes(id))
  return (
    <div className="grid gap-1 rounded-control border border-amber/50 p-3 text-sm wrap-anywhere">
      <p className="font-semibold text-amber">{texts.signInChanged}</p>
      {after.who !== before.who && <p>{texts.signInNow({ who: texts.who[after.who].label })}</p>}
      {added.length > 0 && <p>{texts.listAdded({ ids: firstOf(added) })}</p>}
      {removed.length > 0 && <p>{texts.listRemoved({ ids: firstOf(removed) })}</p>}
      <p className="text-soft">{texts.signInKept}</p>
      <Button variant="quiet" className="justify-self-start" onClick={onTake}>
        {texts.takeSaved}
      </Button>
    </div>
  )
}

const IDS_SHOWN = 10

function firstOf(ids: readonly string[]): string {
  const more = ids.length - IDS_SHOWN
  return formatList([...ids.slice(0, IDS_SHOWN), ...(more > 0 ? [texts.listMore({ count: more })] : [])])
}

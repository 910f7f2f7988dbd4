/**
 * The form of a new group: on the dashboard the first step of the wizard (WIZ-1), in Groups a whole card (GLIST-3).
 * Requirements: WIZ-5.
 */
import type { FormEvent, ReactNode, RefObject } from 'react'
import { GROUP_NAME_MAX } from '#shared/limits.ts'
import { useCreateGroup } from '../data/groups.ts'
import { failureText } from '../data/http.ts'
import { groups } from 'virtual:texts'
import { useSignedIn } from '../session.ts'
import { OutcomeNotice, useAsyncAction } from '../ui/forms/async-action.tsx'
import { Button } from '../ui/forms/button.tsx'
import { TextField } from '../ui/forms/field.tsx'
import { useRequiredText } from '../ui/forms/required-text.ts'

export type NewGroup = { groupId: number; name: string }

/**
 * Asks for a name and creates the group; a failure is shown, and the input stays.
 * @param required who says that a name is missing: the browser (WIZ-1), or the form with a fixed text (GLIST-3)
 * @param nameField the name's input, where something else focuses it too
 * @param mayCreate of the other fields, checked as the form is sent
 * @param onCreated the button stays busy until it has ended; also called when the form is gone by then
 * @param children further fields
 */
export function NewGroupForm({
  texts,
  required,
  nameField,
  icon,
  className = '',
  mayCreate = () => true,
  onCreated,
  children,
}: {
  texts: { name: string; namePlaceholder: string; create: string; creating: string }
  required: 'browser' | 'form'
  nameField?: RefObject<HTMLInputElement | null>
  icon?: ReactNode
  className?: string
  mayCreate?: () => boolean
  onCreated: (group: NewGroup) => void | Promise<void>
  children?: ReactNode
}) {
  const { steamId } = useSignedIn()
  const creation = useCreateGroup(steamId)
  const task = useAsyncAction()
  const { nameRequired, createFailed } = groups
  const name = useRequiredText({ max: GROUP_NAME_MAX, missing: nameRequired, input: nameField })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.check() && mayCreate()) void task.start(create)
  }

  async function create() {
    let group: NewGroup
    try {
      const created = await creation.mutateAsync(name.text)
      group = { groupId: created.group_id, name: created.name }
    } catch (error) {
      return { tone: 'error' as const, text: failureText(error, createFailed) }
    }
    await onCreated(group)
    return undefined
  }

  return (
    <form noValidate={required === 'form'} onSubmit={submit} className={`grid gap-4 ${className}`}>
      <TextField
        label={texts.name}
        placeholder={texts.namePlaceholder}
        required={required === 'browser'}
        {...name.field}
      />
      {children}
      <OutcomeNotice outcome={task.outcome} />
      <Button type="submit" variant="primary" icon={icon} busy={task.busy} busyLabel={texts.creating}>
        {texts.create}
      </Button>
    </form>
  )
}

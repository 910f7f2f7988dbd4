/** The Create Group form: a name and an optional picture (GLIST-3 to GLIST-7). */
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { GROUP_NAME_MAX } from '#shared/limits.ts'
import { useCreateGroup, useSetGroupPicture } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { PictureField, type ChosenPicture } from '../../ui/picture-field.tsx'
import { useRequiredText } from '../../ui/required-text.ts'

const texts = messages.groups

/** The form. It keeps its input when something fails. */
export function CreateGroupCard({
  nameField,
  className = '',
}: {
  nameField: RefObject<HTMLInputElement | null>
  className?: string
}) {
  const { steamId } = useSignedIn()
  const navigate = useNavigate()
  const creation = useCreateGroup(steamId)
  const picture = useSetGroupPicture(steamId)
  const task = useAsyncAction()
  const name = useRequiredText({ max: GROUP_NAME_MAX, missing: texts.nameRequired, input: nameField })
  const [chosen, setChosen] = useState<ChosenPicture>()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  function submit(event: FormEvent) {
    event.preventDefault()
    // A file that is not an image has its own message and must be replaced or removed first (GLIST-6).
    if (name.check() && chosen?.problem === undefined) void task.start(create)
  }

  async function create(): Promise<Outcome | undefined> {
    let groupId: number
    try {
      groupId = (await creation.mutateAsync(name.text)).group_id
    } catch (error) {
      return { tone: 'error', text: failureText(error, texts.createFailed) }
    }
    const pictureFailure = chosen && (await upload(groupId, chosen.file))
    // Not if the user has navigated elsewhere meanwhile.
    if (isHere.current) await navigate(`/groups/${groupId}`, { state: { pictureFailure } })
    return undefined
  }

  /** The group exists even if the upload fails, so a failure is passed to the group's page. */
  async function upload(groupId: number, file: File): Promise<string | undefined> {
    try {
      await picture.mutateAsync({ groupId, picture: file })
      return undefined
    } catch (error) {
      return failureText(error, messages.somethingWrong)
    }
  }

  return (
    <Card title={texts.create} className={`xl:sticky xl:top-8 ${className}`}>
      {/* Without the browser's validation, so that the fixed text shows (GLIST-5). */}
      <form noValidate onSubmit={submit} className="grid gap-4">
        <TextField label={texts.name} placeholder={texts.namePlaceholder} {...name.field} />
        <PictureField label={messages.picture.label} chosen={chosen} onChange={setChosen} />
        <p className="text-sm text-soft">{texts.alone}</p>
        <OutcomeNotice outcome={task.outcome} />
        <Button
          type="submit"
          variant="primary"
          icon={<Plus aria-hidden />}
          busy={task.busy}
          busyLabel={texts.creating}
        >
          {texts.create}
        </Button>
      </form>
    </Card>
  )
}

/** The Create Group form: a name and an optional picture (GLIST-3). */
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { useSetGroupPicture } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Card } from '../../ui/card.tsx'
import { NewGroupForm, type NewGroup } from '../../layout/new-group-form.tsx'
import { PictureField, type ChosenPicture } from '../../ui/picture-field.tsx'

const texts = messages.groups

/** The form; it leads to the new group. */
export function CreateGroupCard({
  nameField,
  className = '',
}: {
  nameField: RefObject<HTMLInputElement | null>
  className?: string
}) {
  const { steamId } = useSignedIn()
  const navigate = useNavigate()
  const picture = useSetGroupPicture(steamId)
  const [chosen, setChosen] = useState<ChosenPicture>()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  async function open({ groupId }: NewGroup) {
    const pictureFailure = chosen && (await upload(groupId, chosen.file))
    // Not if the user has navigated elsewhere meanwhile.
    if (isHere.current) await navigate(`/groups/${groupId}`, { state: { pictureFailure } })
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
      <NewGroupForm
        texts={texts}
        required="form"
        nameField={nameField}
        icon={<Plus aria-hidden />}
        // A file that is not an image has its own message and must be replaced or removed first (GLIST-3).
        mayCreate={() => chosen?.problem === undefined}
        onCreated={open}
      >
        <PictureField label={messages.picture.label} chosen={chosen} onChange={setChosen} />
        <p className="text-sm text-soft">{texts.alone}</p>
      </NewGroupForm>
    </Card>
  )
}

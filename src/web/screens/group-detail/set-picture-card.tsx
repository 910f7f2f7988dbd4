/** Setting a group's picture, by URL or upload (GPAGE-1). */
import { ImagePlus, Upload } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { PICTURE_URL_MAX } from '#shared/limits.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { useSetGroupPicture } from '../../data/groups.ts'
import { group as groupTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { PictureMissing } from '../../ui/people/group-picture.tsx'
import { PictureField, type ChosenPicture } from '../../ui/forms/picture-field.tsx'

const texts = groupTexts

/** @param onSet called when the picture has been set */
export function SetPictureCard({ groupId, onSet }: { groupId: number; onSet: () => void }) {
  const { steamId } = useSignedIn()
  const change = useSetGroupPicture(steamId)
  const task = useAsyncAction()
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<ChosenPicture>()
  const [source, setSource] = useState<'url' | 'upload'>()
  const [shown, setShown] = useState<string | null>()

  async function set(picture: string | File): Promise<Outcome> {
    setSource(typeof picture === 'string' ? 'url' : 'upload')
    setShown(undefined)
    try {
      setShown((await change.mutateAsync({ groupId, picture })).picture_image_url)
      if (typeof picture === 'string') setUrl('')
      else setChosen(undefined)
      onSet()
      return { tone: 'success', text: texts.pictureUpdated }
    } catch (error) {
      return failedOutcome(texts.pictureFailed, error)
    }
  }

  function submit(event: FormEvent, picture: string | File | undefined) {
    event.preventDefault()
    // Without a picture the button does nothing (GPAGE-1).
    if (picture !== undefined && picture !== '') void task.start(() => set(picture))
  }

  return (
    <Card title={texts.setPicture}>
      <OutcomeNotice outcome={task.outcome} />
      <PictureMissing src={shown} />
      {/* Without the browser's validation: the server says what is wrong with a URL. */}
      <form noValidate onSubmit={(event) => submit(event, url.trim())} className="grid gap-3">
        <TextField
          label={texts.pictureUrl}
          type="url"
          placeholder="https://"
          autoComplete="off"
          maxLength={PICTURE_URL_MAX}
          hint={texts.pictureUrlHint}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Button
          type="submit"
          icon={<ImagePlus aria-hidden />}
          busy={task.busy && source === 'url'}
          busyLabel={texts.settingPicture}
        >
          {texts.setPicture}
        </Button>
      </form>
      <form
        onSubmit={(event) => submit(event, chosen?.problem === undefined ? chosen?.file : undefined)}
        className="grid gap-3 border-t border-line/60 pt-4"
      >
        <PictureField label={texts.uploadLabel} chosen={chosen} onChange={setChosen} />
        {chosen !== undefined && chosen.problem === undefined && (
          <Button
            type="submit"
            icon={<Upload aria-hidden />}
            busy={task.busy && source === 'upload'}
            busyLabel={texts.uploading}
          >
            {texts.upload}
          </Button>
        )}
      </form>
    </Card>
  )
}

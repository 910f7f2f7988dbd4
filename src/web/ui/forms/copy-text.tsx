/** Texts and secret links to copy, and how a chat takes them (NIGHT-149). */
import { Check, Copy, Link2Off, RotateCw } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { copying as text } from 'virtual:texts'
import { Button } from './button.tsx'
import { inputLook } from '../looks.ts'
import { ConfirmButton } from './confirm-button.tsx'

/** @param isLong shows the text in several lines instead of one */
export function CopyText({
  label,
  hideLabel = false,
  copy,
  value,
  isLong = false,
  isMain = false,
  other,
}: {
  label: string
  hideLabel?: boolean
  /** The button's text. */
  copy: string
  value: string
  isLong?: boolean
  /** Whether copying it is what is to be done next. */
  isMain?: boolean
  /** A second button, which copies another form of the text. */
  other?: { copy: string; value: string }
}) {
  const id = useId()
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const [result, setResult] = useState<{ of: string; isCopied: boolean }>()
  const shown = result?.of === value || (other && result?.of === other.value) ? result : undefined
  // The other form takes the field where it has to be copied from there.
  const inField = shown?.isCopied === false ? shown.of : value

  async function copyValue(copied: string): Promise<void> {
    const isCopied = await writeClipboard(copied)
    flushSync(() => setResult({ of: copied, isCopied }))
    if (isCopied) return
    field.current?.focus()
    field.current?.select()
  }

  const lines = inField.split('\n').length
  const shared = {
    ref: field,
    id,
    readOnly: true,
    value: inField,
    onFocus: (event: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
      event.currentTarget.select(),
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium text-soft'}>
        {label}
      </label>
      <div className="flex flex-wrap items-start gap-2">
        {isLong ? (
          <textarea
            {...shared}
            // Room for two lines that wrap: an address is not always as wide.
            rows={lines + 2}
            className={`${inputLook} max-h-64 min-w-0 flex-1 resize-none ${lines > 1 ? 'basis-full' : 'basis-60'}`}
          />
        ) : (
          <input {...shared} className={`${inputLook} min-w-0 flex-1 basis-48`} />
        )}
        {[{ copy, value }, ...(other ? [other] : [])].map((form) => (
          <Button
            key={form.copy}
            variant={isMain && form.copy === copy ? 'primary' : 'secondary'}
            icon={shown?.isCopied && shown.of === form.value ? <Check aria-hidden /> : <Copy aria-hidden />}
            onClick={() => void copyValue(form.value)}
          >
            {form.copy}
          </Button>
        ))}
      </div>
      {/* Its room is there before it says something, so that nothing moves. */}
      <p role="status" className="min-h-5 text-sm text-mint">
        {shown && (shown.isCopied ? text.copied : text.byKey)}
      </p>
    </div>
  )
}

/** Whether the text is on the clipboard now. Browsers offer it only over https and on localhost, and may ask first. */
export async function writeClipboard(value: string): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (!clipboard) return false
  return clipboard.writeText(value).then(
    () => true,
    () => false,
  )
}

/** Names can be any text; one with a line break would look like a second message. */
export function oneLine(name: string): string {
  return name.replace(/\s+/gu, ' ').trim()
}

/** A time that Discord shows each reader in their own time zone (NIGHT-149). */
export function discordTime(at: number): string {
  return `<t:${Math.floor(at / 1000)}:F>`
}

type Texts = Record<
  | 'renew'
  | 'renewing'
  | 'renewTitle'
  | 'renewText'
  | 'switchOff'
  | 'switchingOff'
  | 'switchOffTitle'
  | 'switchOffText',
  string
>

/**
 * Both ask first, because the link that people have stops working.
 * @param busy while the link is being changed
 */
export function SecretLinkButtons({
  texts,
  busy,
  onRenew,
  onSwitchOff,
}: {
  texts: Texts
  busy: boolean
  onRenew: () => void
  onSwitchOff: () => void
}) {
  const [last, setLast] = useState<'renew' | 'off'>()
  return (
    <div className="flex flex-wrap gap-3">
      <ConfirmButton
        icon={<RotateCw aria-hidden />}
        busy={busy && last === 'renew'}
        busyLabel={texts.renewing}
        disabled={busy}
        question={texts.renewTitle}
        consequence={texts.renewText}
        onConfirm={() => {
          setLast('renew')
          onRenew()
        }}
      >
        {texts.renew}
      </ConfirmButton>
      <ConfirmButton
        variant="danger"
        icon={<Link2Off aria-hidden />}
        busy={busy && last === 'off'}
        busyLabel={texts.switchingOff}
        disabled={busy}
        question={texts.switchOffTitle}
        consequence={texts.switchOffText}
        onConfirm={() => {
          setLast('off')
          onSwitchOff()
        }}
      >
        {texts.switchOff}
      </ConfirmButton>
    </div>
  )
}

/** The buttons of a link that works for everyone who has it: renewing it and switching it off. */
import { Link2Off, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { ConfirmButton } from './confirm-button.tsx'

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

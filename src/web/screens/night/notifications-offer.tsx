/** Offers notifications to who is in, until they turn them on or decline for good on this device (PUSH-19). */
import { X } from 'lucide-react'
import { useState } from 'react'
import { useDevice } from '../../data/push.ts'
import { useDeviceActions } from '../../layout/push-actions.ts'
import { notifications as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { remembered } from '../../ui/remembered.ts'

const stored = remembered('notifications_offer', ['open', 'declined'])

export function NotificationsOffer() {
  const { steamId } = useSignedIn()
  const device = useDevice(steamId)
  const { busy, outcome, turnOn } = useDeviceActions(steamId)
  const [isDeclined, setDeclined] = useState(() => stored.read() === 'declined')
  const isOffered = device.data === 'off' && !isDeclined
  return (
    <div className="grid gap-3 empty:hidden">
      {isOffered && (
        <div className="frosted grid gap-2 rounded-card p-4 text-sm">
          <div className="flex items-start gap-2">
            <p className="min-w-0 flex-1 py-3 text-soft">{texts.offer}</p>
            <IconButton
              label={texts.offerDecline}
              onClick={() => {
                stored.write('declined')
                setDeclined(true)
              }}
            >
              <X aria-hidden />
            </IconButton>
          </div>
          <Button className="justify-self-start" busy={busy} busyLabel={texts.turningOn} onClick={turnOn}>
            {texts.offerTurnOn}
          </Button>
        </div>
      )}
      <OutcomeNotice outcome={outcome} />
    </div>
  )
}

/** Leads to my webhook, for the game nights without a group that I host (NIGHT-110). */
import { MessageSquareShare } from 'lucide-react'
import { groupNights, webhookTexts as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'

const load = async () => (await import('../../layout/webhook-dialog.tsx')).WebhookDialog

export function WebhookCard() {
  const { steamId } = useSignedIn()
  const webhook = useLazyDialog(load, { owner: { steamId } })
  return (
    <Card title={texts.mine.title}>
      <p className="text-sm text-soft">{texts.hint}</p>
      <Button
        className="self-start"
        icon={<MessageSquareShare aria-hidden />}
        aria-haspopup="dialog"
        onClick={webhook.open}
      >
        {groupNights.messages}
      </Button>
      {webhook.dialog}
    </Card>
  )
}

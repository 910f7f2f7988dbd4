/** Exporting the user's data as a file. */
import { Download } from 'lucide-react'
import { useExport } from '../../data/account.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { account as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { saveFile } from '../../ui/save-file.ts'

export function ExportCard() {
  const { steamId } = useSignedIn()
  const everything = useExport(steamId)
  const action = useAsyncAction()

  async function download(): Promise<Outcome> {
    try {
      const data = JSON.stringify(await everything.mutateAsync(), undefined, 2)
      saveFile(data, 'application/json', `shelfmates-${steamId}.json`)
      return { tone: 'success', text: texts.exported }
    } catch (error) {
      return failedOutcome(texts.exportFailed, error)
    }
  }

  return (
    <Card title={texts.export}>
      <p className="text-sm text-soft">{texts.exportHint}</p>
      <OutcomeNotice outcome={action.outcome} />
      <Button
        icon={<Download aria-hidden />}
        className="self-start"
        busy={action.busy}
        busyLabel={texts.exporting}
        onClick={() => void action.start(download)}
      >
        {texts.exportButton}
      </Button>
    </Card>
  )
}

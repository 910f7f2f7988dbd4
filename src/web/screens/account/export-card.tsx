/** Exporting the user's data as a file. */
import { Download } from 'lucide-react'
import { useExport } from '../../data/account.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { account as texts } from '../../messages/account.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

export function ExportCard() {
  const { steamId } = useSignedIn()
  const everything = useExport(steamId)
  const action = useAsyncAction()

  async function download(): Promise<Outcome> {
    try {
      save(await everything.mutateAsync(), `shelfmates-${steamId}.json`)
      return { tone: 'success', text: texts.exported }
    } catch (error) {
      return {
        tone: 'error',
        text: texts.exportFailed,
        reason: failureText(error, messages.somethingWrong),
      }
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

/** Saves a value as a file. An ordinary link cannot do it, because the request needs the bearer token. */
function save(value: unknown, name: string): void {
  const url = URL.createObjectURL(
    new Blob([JSON.stringify(value, undefined, 2)], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // In a later task, after the browser has read the file.
  setTimeout(() => URL.revokeObjectURL(url))
}

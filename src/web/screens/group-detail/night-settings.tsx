/** What the owner of a group sets for its game nights (NIGHT-109). */
import { useQuery } from '@tanstack/react-query'
import { MessageSquareShare } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { NightSettings as Settings } from '#shared/contract/share.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { nightSettingsQuery, useChangeNightSettings } from '../../data/nights-outside.ts'
import { messages, groupNights as texts } from 'virtual:texts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/frames/dialog.tsx'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { Toggle } from '../../ui/forms/toggle.tsx'

const load = async () => (await import('../../layout/webhook-dialog.tsx')).WebhookDialog

export function NightSettings({ groupId }: { groupId: number }) {
  const query = useQuery(nightSettingsQuery(groupId))
  const heading = useId()
  const webhook = useLazyDialog(load, { groupId })
  return (
    // Not a region: the list of the group's nights is one with this name.
    <div role="group" aria-labelledby={heading} className="grid gap-3 border-t border-line/60 pt-4">
      <h3 id={heading} className="text-sm font-semibold">
        {texts.title}
      </h3>
      <Loaded query={query} failed={texts.failed} skeleton={<Switches groupId={groupId} />}>
        {(settings) => <Switches groupId={groupId} settings={settings} />}
      </Loaded>
      <p className="text-sm text-soft">{texts.messagesHint}</p>
      <Button icon={<MessageSquareShare aria-hidden />} aria-haspopup="dialog" onClick={webhook.open}>
        {texts.messages}
      </Button>
      {webhook.dialog}
    </div>
  )
}

/** Saved at once, and reverted if that fails. @param settings undefined while they are not known */
function Switches({ groupId, settings }: { groupId: number; settings?: Settings }) {
  const changing = useChangeNightSettings(groupId)
  const action = useAsyncAction()
  const changes = useRef(0)
  // Shown at once, before it is saved.
  const [wanted, setWanted] = useState<Partial<Settings>>({})
  const [isAsking, setAsking] = useState(false)
  const shown = { ...settings, ...wanted }

  function change(what: Partial<Settings>): void {
    setWanted((others) => ({ ...others, ...what }))
    const nth = ++changes.current
    void action.queue(async () => {
      try {
        await changing.mutateAsync(what)
        return { tone: 'success', text: texts.saved }
      } catch (error) {
        return failedOutcome(messages.saveFailed, error)
      } finally {
        // After several quick changes all stay shown until the last one is saved.
        if (nth === changes.current) setWanted({})
      }
    })
  }

  return (
    <>
      <Switch
        label={texts.forbids}
        hint={texts.forbidsHint}
        checked={shown.not_tonight_forbids}
        onChange={(not_tonight_forbids) => change({ not_tonight_forbids })}
      />
      <Switch
        label={texts.shares}
        hint={texts.sharesHint}
        checked={shown.shares}
        onChange={(shares) => (shares ? change({ shares }) : setAsking(true))}
      />
      <OutcomeNotice outcome={action.outcome} />
      <ConfirmDialog
        open={isAsking}
        title={texts.stopTitle}
        confirmLabel={texts.stop}
        onConfirm={() => change({ shares: false })}
        onClose={() => setAsking(false)}
      >
        <p>{texts.stopText}</p>
      </ConfirmDialog>
    </>
  )
}

function Switch({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string
  hint: string
  checked: boolean | undefined
  onChange: (checked: boolean) => void
}) {
  return (
    <div className="grid justify-items-start gap-1.5">
      <Toggle checked={checked ?? false} disabled={checked === undefined} onChange={onChange}>
        {label}
      </Toggle>
      <p className="text-sm text-soft">{hint}</p>
    </div>
  )
}

/** The webhook of a group, which gets messages about game nights (NIGHT-110). */
import { useQuery } from '@tanstack/react-query'
import { Save, Send, Trash2 } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import type { Webhook, WebhookFormat } from '#shared/contract/webhooks.ts'
import { WEBHOOK_URL_MAX } from '#shared/limits.ts'
import { failedOutcome, useCallAction } from './call-action.ts'
import { useRemoveWebhook, useSetWebhook, useTestWebhook, webhookQuery } from '../data/nights-outside.ts'
import { webhook as texts } from 'virtual:texts'
import { OutcomeNotice, useAsyncAction } from '../ui/forms/async-action.tsx'
import { Button } from '../ui/forms/button.tsx'
import { ConfirmButton } from '../ui/forms/confirm-button.tsx'
import { CopyText } from '../ui/forms/copy-text.tsx'
import { Dialog } from '../ui/frames/dialog.tsx'
import { TextField } from '../ui/forms/field.tsx'
import type { DialogState } from '../ui/frames/lazy-dialog.tsx'
import { Loaded } from '../ui/frames/loaded.tsx'
import { RelativeTime } from '../ui/words/relative-time.tsx'
import { Toggle } from '../ui/forms/toggle.tsx'
import { Segmented } from '../ui/forms/segmented.tsx'
import { Sentence } from '../ui/words/sentence.tsx'
import { Loading, Skeleton } from '../ui/frames/skeletons.tsx'

export function WebhookDialog({ groupId, open, onClose }: DialogState & { groupId: number }) {
  return (
    <Dialog open={open} title={texts.title} onClose={onClose}>
      <WebhookContent groupId={groupId} />
    </Dialog>
  )
}

function WebhookContent({ groupId }: { groupId: number }) {
  const query = useQuery(webhookQuery(groupId))
  return (
    <>
      <p className="text-soft">
        {texts.about} {texts.explained}
      </p>
      <Loaded query={query} failed={texts.failed} skeleton={<FormSkeleton />}>
        {(webhook) => (
          <>
            {!webhook && <p className="text-soft">{texts.none}</p>}
            <WebhookForm groupId={groupId} webhook={webhook} />
            {webhook && <Existing groupId={groupId} webhook={webhook} />}
          </>
        )}
      </Loaded>
    </>
  )
}

function WebhookForm({ groupId, webhook }: { groupId: number; webhook: Webhook | null }) {
  const setting = useSetWebhook(groupId)
  const action = useAsyncAction()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [format, setFormat] = useState(webhook?.format ?? 'discord')
  const [weekly, setWeekly] = useState(webhook?.weekly ?? false)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const isBlank = url.trim() === ''
    setMissing(isBlank)
    if (isBlank) {
      field.current?.focus()
      return
    }
    void action.start(async () => {
      try {
        setUrl((await setting.mutateAsync({ url: url.trim(), format, weekly })).url)
        return { tone: 'success', text: texts.saved }
      } catch (error) {
        return failedOutcome(texts.saveFailed, error)
      }
    })
  }

  return (
    // Without the browser's validation: the server says what is wrong with an address.
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Segmented legend={texts.format} options={texts.formats} value={format} onChange={setFormat} />
      <TextField
        ref={field}
        label={texts.url}
        type="url"
        placeholder="https://"
        autoComplete="off"
        aria-required
        maxLength={WEBHOOK_URL_MAX}
        hint={texts.urlHint[format]}
        error={isMissing ? texts.urlMissing : undefined}
        value={url}
        onChange={(event) => {
          setUrl(event.target.value)
          setFormat(formatOf(event.target.value) ?? format)
          setMissing(false)
        }}
      />
      <Toggle checked={weekly} onChange={setWeekly}>
        {texts.weekly}
      </Toggle>
      <OutcomeNotice outcome={isMissing ? undefined : action.outcome} />
      <Button
        type="submit"
        variant={webhook ? 'secondary' : 'primary'}
        icon={<Save aria-hidden />}
        busy={action.busy}
        busyLabel={texts.setting}
      >
        {texts.set}
      </Button>
    </form>
  )
}

function Existing({ groupId, webhook }: { groupId: number; webhook: Webhook }) {
  const testing = useTestWebhook(groupId)
  const removing = useRemoveWebhook(groupId)
  const { busy, outcome, run } = useCallAction()
  return (
    <div className="grid gap-4 border-t border-line/60 pt-4">
      {/* Chats do not check signatures. */}
      {webhook.format === 'json' && (
        <div className="grid gap-1">
          <CopyText label={texts.secret} copy={texts.copySecret} value={webhook.secret} />
          <p className="text-sm text-soft">{texts.secretHint}</p>
        </div>
      )}
      <State webhook={webhook} />
      <OutcomeNotice outcome={outcome} />
      <div className="flex flex-wrap gap-3">
        <Button
          icon={<Send aria-hidden />}
          busy={busy}
          busyLabel={texts.testing}
          onClick={run(() => testing.mutateAsync(), { done: texts.tested, failed: texts.testFailed })}
        >
          {texts.test}
        </Button>
        <ConfirmButton
          variant="danger"
          icon={<Trash2 aria-hidden />}
          disabled={busy}
          question={texts.removeTitle}
          consequence={texts.removeText}
          onConfirm={run(() => removing.mutateAsync(), { failed: texts.removeFailed })}
        >
          {texts.remove}
        </ConfirmButton>
      </div>
    </div>
  )
}

/** The chat that an address is of, by how its webhooks look; undefined for any other address. */
function formatOf(text: string): WebhookFormat | undefined {
  if (!URL.canParse(text.trim())) return undefined
  const { hostname } = new URL(text.trim())
  return /^(\w+\.)?discord(app)?\.com$/.test(hostname) ? 'discord' : undefined
}

/** What became of the messages so far. */
function State({ webhook: { last_error, last_error_at, last_ok_at, waiting } }: { webhook: Webhook }) {
  const isNew = last_error === null && last_ok_at === null && waiting === 0
  return (
    // Not a live region: its times tick, and each tick would be read out.
    <div role="group" aria-label={texts.state} className="grid gap-1 text-sm text-soft">
      {isNew && <p>{texts.never}</p>}
      {last_ok_at !== null && (
        <p>
          <Sentence text={texts.accepted} values={{ time: <RelativeTime time={last_ok_at} /> }} />
        </p>
      )}
      {last_error !== null && last_error_at !== null && (
        <p className="text-rose">
          <Sentence
            text={texts.lastFailure}
            values={{ time: <RelativeTime time={last_error_at} />, reason: last_error }}
          />
        </p>
      )}
      {waiting > 0 && <p>{texts.waiting({ count: waiting })}</p>}
    </div>
  )
}

function FormSkeleton() {
  return (
    <Loading>
      <Skeleton className="h-12 w-44 rounded-control" />
      <Skeleton className="h-24 rounded-control" />
      <Skeleton className="h-11 rounded-control" />
    </Loading>
  )
}

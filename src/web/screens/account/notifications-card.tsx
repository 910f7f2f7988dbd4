/** What tells of nights: notifications (PUSH-7, PUSH-17), and the calendar (NIGHT-108). */
import { useQuery } from '@tanstack/react-query'
import { BellOff, BellRing, CalendarPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Notifications } from '#shared/contract/privacy.ts'
import { accountQueries, useChangeSettings } from '../../data/account.ts'
import { useDevice } from '../../data/push.ts'
import { failedOutcome, useCallAction } from '../../layout/call-action.ts'
import { useDeviceActions } from '../../layout/push-actions.ts'
import { messages, account, notifications as texts, nightCalendarFeed as feedTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { Toggle } from '../../ui/forms/toggle.tsx'
import { calendarQuery, useRenewCalendar, useSwitchOffCalendar } from '../../data/nights-outside.ts'
import { CopyText, SecretLinkButtons } from '../../ui/forms/copy-text.tsx'

export function NotificationsCard() {
  return (
    <Card title={texts.title}>
      <p className="text-sm text-soft">{texts.hint}</p>
      <ThisDevice />
      <Kinds />
    </Card>
  )
}

/** Whether they are on here; where they cannot be, why (PUSH-17). */
function ThisDevice() {
  const { steamId } = useSignedIn()
  const device = useDevice(steamId)
  const { busy, outcome, turnOn, turnOff } = useDeviceActions(steamId)
  return (
    <>
      <Loaded query={device} failed={texts.failed} skeleton={null}>
        {(state) => (
          <>
            <p className={`text-sm font-medium ${state === 'refused' ? 'text-amber' : ''}`}>
              {texts.states[state]}
            </p>
            {(state === 'on' || state === 'off' || state === 'refused') && (
              <Button
                className="self-start"
                icon={state === 'on' ? <BellOff aria-hidden /> : <BellRing aria-hidden />}
                disabled={device.isPlaceholderData}
                busy={busy}
                busyLabel={state === 'on' ? texts.turningOff : texts.turningOn}
                onClick={state === 'on' ? turnOff : turnOn}
              >
                {state === 'on' ? texts.turnOff : texts.turnOn}
              </Button>
            )}
          </>
        )}
      </Loaded>
      <OutcomeNotice outcome={outcome} />
    </>
  )
}

/** A choice is saved at once, and reverted if that fails. */
function Kinds() {
  const { steamId } = useSignedIn()
  const settings = useQuery(accountQueries.settings(steamId))
  const change = useChangeSettings(steamId)
  const action = useAsyncAction()
  const choicesMade = useRef(0)
  // Shown at once, before they are saved.
  const [wanted, setWanted] = useState<Partial<Notifications>>({})

  function choose(made: Partial<Notifications>) {
    const all = { ...wanted, ...made }
    setWanted(all)
    const choice = ++choicesMade.current
    void action.queue(async () => {
      try {
        await change.mutateAsync({ notifications: all })
        return { tone: 'success', text: account.saved }
      } catch (error) {
        return failedOutcome(messages.saveFailed, error)
      } finally {
        // Each has those before it that are not saved yet, so the last one decides.
        if (choice === choicesMade.current) setWanted({})
      }
    })
  }

  const toggle = (chosen: Notifications | undefined, kind: keyof Notifications, label: string) => (
    <Toggle
      key={kind}
      checked={wanted[kind] ?? chosen?.[kind] ?? false}
      disabled={chosen === undefined}
      onChange={(checked) => choose({ [kind]: checked })}
    >
      {label}
    </Toggle>
  )
  const toggles = (chosen: Notifications | undefined) => (
    <fieldset className="grid [&>label]:flex [&>label]:border-0 [&>label]:bg-transparent [&>label]:px-0 [&>label]:py-2 [&>label]:whitespace-normal [&>label>span]:shrink-0">
      <legend className="mb-1 text-sm text-soft">{texts.kindsTitle}</legend>
      {(Object.keys(texts.kinds) as (keyof typeof texts.kinds)[]).map((kind) =>
        toggle(chosen, kind, texts.kinds[kind]),
      )}
      <hr className="my-2 border-line/50" />
      {toggle(chosen, 'discreet', texts.discreet)}
    </fieldset>
  )
  return (
    <>
      <Loaded query={settings} failed={account.settingsFailed} skeleton={toggles(undefined)}>
        {({ notifications }) => toggles(notifications)}
      </Loaded>
      <OutcomeNotice outcome={action.outcome} />
    </>
  )
}

export function CalendarCard() {
  const { steamId } = useSignedIn()
  const query = useQuery(calendarQuery(steamId))
  const renewing = useRenewCalendar(steamId)
  const switchingOff = useSwitchOffCalendar(steamId)
  const { busy, outcome, run } = useCallAction()
  const failed = feedTexts.changeFailed
  return (
    <Card title={feedTexts.title}>
      <p className="text-sm text-soft">{feedTexts.explained}</p>
      {/* Its room while it is off is there before that is known; what stands below it is not in the first view. */}
      <div className="grid min-h-26 content-start gap-4 sm:min-h-21">
        <Loaded query={query} failed={feedTexts.failed} skeleton={null}>
          {(feed) =>
            feed ? (
              <>
                <CopyText label={feedTexts.address} copy={feedTexts.copy} value={feed.url} />
                <p className="text-sm text-soft">{feedTexts.secret}</p>
                <SecretLinkButtons
                  texts={feedTexts}
                  busy={busy}
                  onRenew={run(() => renewing.mutateAsync(), { done: feedTexts.renewed, failed })}
                  onSwitchOff={run(() => switchingOff.mutateAsync(), { done: feedTexts.switchedOff, failed })}
                />
              </>
            ) : (
              <>
                <p className="text-sm text-soft">{feedTexts.none}</p>
                <Button
                  className="justify-self-start"
                  icon={<CalendarPlus aria-hidden />}
                  busy={busy}
                  busyLabel={feedTexts.creating}
                  onClick={run(() => renewing.mutateAsync(), { failed })}
                >
                  {feedTexts.create}
                </Button>
              </>
            )
          }
        </Loaded>
        <OutcomeNotice outcome={outcome} />
      </div>
    </Card>
  )
}

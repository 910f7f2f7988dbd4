/** The address at which a calendar app subscribes to my game nights (NIGHT-108). */
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, CalendarX, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { failureText } from '../../data/http.ts'
import { calendarQuery, useRenewCalendar, useSwitchOffCalendar } from '../../data/nights-outside.ts'
import { messages } from '../../messages.ts'
import { nightCalendarFeed as texts } from '../../messages/night-calendar.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'

export function CalendarCard() {
  const { steamId } = useSignedIn()
  const query = useQuery(calendarQuery(steamId))
  const change = useCalendarChange(steamId)
  return (
    <Card title={texts.title}>
      <p className="text-sm text-soft">{texts.explained}</p>
      {/* Its room is there before it is known whether it is on, so that nothing below moves. */}
      <div className="grid min-h-66 content-start gap-4 sm:min-h-53">
        <Loaded query={query} failed={texts.failed} skeleton={null}>
          {(feed) =>
            feed ? (
              <>
                <CopyText label={texts.address} copy={texts.copy} value={feed.url} />
                <p className="text-sm text-soft">{texts.secret}</p>
                <Changes change={change} />
              </>
            ) : (
              <>
                <p className="text-sm text-soft">{texts.none}</p>
                <Button
                  className="justify-self-start"
                  icon={<CalendarPlus aria-hidden />}
                  busy={change.busy}
                  busyLabel={texts.creating}
                  onClick={change.create}
                >
                  {texts.create}
                </Button>
              </>
            )
          }
        </Loaded>
        <OutcomeNotice outcome={change.outcome} />
      </div>
    </Card>
  )
}

/** Both ask first, because calendars that use the address stop updating. */
function Changes({ change }: { change: ReturnType<typeof useCalendarChange> }) {
  const [asked, setAsked] = useState<'renew' | 'off'>()
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        icon={<RotateCw aria-hidden />}
        aria-haspopup="dialog"
        busy={change.busy}
        busyLabel={texts.renewing}
        onClick={() => setAsked('renew')}
      >
        {texts.renew}
      </Button>
      <Button
        variant="danger"
        icon={<CalendarX aria-hidden />}
        aria-haspopup="dialog"
        disabled={change.busy}
        onClick={() => setAsked('off')}
      >
        {texts.switchOff}
      </Button>
      <ConfirmDialog
        open={asked !== undefined}
        title={asked === 'off' ? texts.switchOffTitle : texts.renewTitle}
        confirmLabel={asked === 'off' ? texts.switchOff : texts.renew}
        onConfirm={asked === 'off' ? change.switchOff : change.renew}
        onClose={() => setAsked(undefined)}
      >
        <p>{asked === 'off' ? texts.switchOffText : texts.renewText}</p>
      </ConfirmDialog>
    </div>
  )
}

function useCalendarChange(steamId: string) {
  const renewing = useRenewCalendar(steamId)
  const switchingOff = useSwitchOffCalendar(steamId)
  const action = useAsyncAction()
  const run = (work: () => Promise<unknown>, done?: string) => () =>
    void action.start(async () => {
      try {
        await work()
        return done === undefined ? undefined : { tone: 'success', text: done }
      } catch (error) {
        return {
          tone: 'error',
          text: texts.changeFailed,
          reason: failureText(error, messages.somethingWrong),
        }
      }
    })
  return {
    busy: action.busy,
    outcome: action.outcome,
    create: run(() => renewing.mutateAsync()),
    renew: run(() => renewing.mutateAsync(), texts.renewed),
    switchOff: run(() => switchingOff.mutateAsync(), texts.switchedOff),
  }
}

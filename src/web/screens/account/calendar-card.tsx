/** The address at which a calendar app subscribes to my game nights (NIGHT-108). */
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { useCallAction } from '../../layout/call-action.ts'
import { calendarQuery, useRenewCalendar, useSwitchOffCalendar } from '../../data/nights-outside.ts'
import { nightCalendarFeed as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice } from '../../ui/async-action.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { SecretLinkButtons } from '../../ui/secret-link.tsx'

export function CalendarCard() {
  const { steamId } = useSignedIn()
  const query = useQuery(calendarQuery(steamId))
  const renewing = useRenewCalendar(steamId)
  const switchingOff = useSwitchOffCalendar(steamId)
  const { busy, outcome, run } = useCallAction()
  const failed = texts.changeFailed
  return (
    <Card title={texts.title}>
      <p className="text-sm text-soft">{texts.explained}</p>
      {/* Its room while it is off is there before that is known; what stands below it is not in the first view. */}
      <div className="grid min-h-26 content-start gap-4 sm:min-h-21">
        <Loaded query={query} failed={texts.failed} skeleton={null}>
          {(feed) =>
            feed ? (
              <>
                <CopyText label={texts.address} copy={texts.copy} value={feed.url} />
                <p className="text-sm text-soft">{texts.secret}</p>
                <SecretLinkButtons
                  texts={texts}
                  busy={busy}
                  onRenew={run(() => renewing.mutateAsync(), { done: texts.renewed, failed })}
                  onSwitchOff={run(() => switchingOff.mutateAsync(), { done: texts.switchedOff, failed })}
                />
              </>
            ) : (
              <>
                <p className="text-sm text-soft">{texts.none}</p>
                <Button
                  className="justify-self-start"
                  icon={<CalendarPlus aria-hidden />}
                  busy={busy}
                  busyLabel={texts.creating}
                  onClick={run(() => renewing.mutateAsync(), { failed })}
                >
                  {texts.create}
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

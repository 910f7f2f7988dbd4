/** Account (ROUTE-3): visibility, sessions, export and deletion of the user's data. */
import { ArrowRight } from 'lucide-react'
import { account as texts } from '../../more-messages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Screen } from '../../ui/screen.tsx'
import { CalendarCard } from './calendar-card.tsx'
import { DeleteAccountCard } from './delete-account-card.tsx'
import { ExportCard } from './export-card.tsx'
import { HiddenGamesCard } from './hidden-games-card.tsx'
import { NotificationsCard } from './notifications-card.tsx'
import { OperatorCard } from './operator-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { LookCard } from './look-card.tsx'
import { VisibilityCard } from './visibility-card.tsx'
import { WebhookCard } from './webhook-card.tsx'

export function AccountScreen() {
  return (
    <Screen title={texts.title} lead={texts.lead}>
      {/* Three columns, of which the first two stand in one on smaller screens. */}
      <div className="grid items-start gap-6 xl:grid-cols-2 vast:grid-cols-3">
        <div className="grid min-w-0 gap-6">
          <VisibilityCard />
          <LookCard />
          <NotificationsCard />
        </div>
        {/* Alone: the number of sessions is not known before they come. */}
        <div className="grid min-w-0 xl:row-start-2 vast:col-start-2 vast:row-start-1">
          <SessionsCard />
        </div>
        <div className="grid min-w-0 gap-6 xl:col-start-2 xl:row-span-2 xl:row-start-1 vast:col-start-3">
          {/* Beside the visibility on wide screens. */}
          <HiddenGamesCard />
          <CalendarCard />
          <WebhookCard />
          <Card title={texts.privacy}>
            <p className="text-sm text-soft">{texts.privacyHint}</p>
            <ButtonLink to="/privacy" className="self-start" icon={<ArrowRight aria-hidden />}>
              {texts.privacyLink}
            </ButtonLink>
          </Card>
          <ExportCard />
          <DeleteAccountCard />
          <OperatorCard />
        </div>
      </div>
    </Screen>
  )
}

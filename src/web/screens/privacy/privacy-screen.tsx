/**
 * Privacy (ROUTE-3), also for visitors: what is stored, why and how long, and how to export or delete it. Its texts must match
 * `server/database/schema.ts` and `server/sync/engine.ts`.
 * Requirements: VIS-5.
 */
import { ArrowRight } from 'lucide-react'
import { privacy as privacyTexts, notFound } from 'virtual:texts'
import { useSession } from '../../session.ts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { Screen } from '../../ui/frames/screen.tsx'

export function PrivacyScreen() {
  const isSignedIn = useSession() !== undefined
  return (
    <Screen
      title={privacyTexts.title}
      lead={privacyTexts.lead}
      action={isSignedIn && <ButtonLink to="/dashboard">{notFound.back}</ButtonLink>}
    >
      <div className="gap-6 xl:columns-2 vast:columns-3 [&>*]:mb-6 [&>*]:break-inside-avoid">
        {privacyTexts.sections.map(({ title, points }) => (
          <Card key={title} title={title}>
            <dl className="grid gap-3.5">
              {points.map(([about, text]) => (
                <div key={about}>
                  <dt className="font-medium">{about}</dt>
                  <dd className="text-soft">{text}</dd>
                </div>
              ))}
            </dl>
          </Card>
        ))}
      </div>
      <ButtonLink to="/account" variant="primary" className="self-start" icon={<ArrowRight aria-hidden />}>
        {privacyTexts.toAccount}
      </ButtonLink>
    </Screen>
  )
}

/** The way to the operator's page, for operators only (OPER-17). */
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { accountQueries } from '../../data/account.ts'
import { account as texts } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

export function OperatorCard() {
  const settings = useQuery(accountQueries.settings(useSignedIn().steamId))
  if (settings.data?.is_operator !== true) return null
  return (
    <Card title={texts.operator}>
      <p className="text-sm text-soft">{texts.operatorHint}</p>
      <ButtonLink to="/operator" className="self-start" icon={<ArrowRight aria-hidden />}>
        {texts.operatorLink}
      </ButtonLink>
    </Card>
  )
}

/** Groups that people have reported (OPER-14). */
import { useQuery } from '@tanstack/react-query'
import { operatorQueries } from '../../data/operator.ts'
import { operator as texts } from '../../more-messages.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'
import { GroupModeration } from './group-moderation.tsx'
import { useReasoned } from './reasoned.tsx'

export function ReportsCard() {
  const reports = useQuery(operatorQueries.reports())
  const { ask, notice, dialog } = useReasoned()
  return (
    <Card title={texts.reports}>
      {notice}
      <Loaded query={reports} failed={texts.reportsFailed} skeleton={<ListSkeleton rows={2} />}>
        {(groups) =>
          groups.length === 0 ? (
            <p className="text-sm text-soft">{texts.noReports}</p>
          ) : (
            groups.map((group) => (
              <GroupModeration key={`${group.group_id} ${group.name}`} group={group} ask={ask} />
            ))
          )
        }
      </Loaded>
      {dialog}
    </Card>
  )
}

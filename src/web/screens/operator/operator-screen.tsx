/** The operator's page (OPER-1): to everyone else it is a page that does not exist. */
import { useQuery } from '@tanstack/react-query'
import { Compass } from 'lucide-react'
import { isNotFound } from '../../data/http.ts'
import { operatorQueries } from '../../data/operator.ts'
import { messages } from '../../messages.ts'
import { operator as texts } from '../../more-messages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Screen } from '../../ui/screen.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'
import { AccountsCard } from './accounts-card.tsx'
import { LogCard } from './log-card.tsx'
import { ErrorsCard, PeopleCard, ServersCard, StorageCard, WorkCard } from './overview-cards.tsx'
import { ReportsCard } from './reports-card.tsx'
import { SignInCard } from './sign-in-card.tsx'

export function OperatorScreen() {
  const overview = useQuery(operatorQueries.overview())
  if (isNotFound(overview.error)) return <NotThere />
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={overview} failed={texts.failed} skeleton={<ListSkeleton />}>
        {(loaded) => (
          <>
            <div className="grid items-start gap-6 md:grid-cols-2 xl:grid-cols-3">
              <WorkCard overview={loaded} />
              <PeopleCard overview={loaded} />
              <StorageCard overview={loaded} />
            </div>
            <div className="grid items-start gap-6 xl:grid-cols-2">
              <div className="grid min-w-0 gap-6">
                <ReportsCard />
                <AccountsCard />
                <LogCard />
              </div>
              <div className="grid min-w-0 gap-6">
                <ErrorsCard overview={loaded} />
                <ServersCard overview={loaded} />
                <SignInCard />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Screen>
  )
}

function NotThere() {
  const { title, hint, back } = messages.notFound
  return (
    <Screen title={title}>
      <EmptyState
        icon={<Compass />}
        action={
          <ButtonLink variant="primary" to="/dashboard">
            {back}
          </ButtonLink>
        }
      >
        {hint}
      </EmptyState>
    </Screen>
  )
}

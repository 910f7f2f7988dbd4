/** The operator's page (OPER-1), its figures (OPER-4) and log (OPER-17); to everyone else it does not exist. */
import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { Compass } from 'lucide-react'
import { isNotFound } from '../../data/http.ts'
import { operatorQueries } from '../../data/operator.ts'
import { operator as texts, notFound } from 'virtual:texts'
import { ButtonLink, Button } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'
import { AccountsCard } from './accounts-card.tsx'
import { ReportsCard } from './group-moderation.tsx'
import { SignInCard } from './sign-in-card.tsx'
import type { ReactNode } from 'react'
import type { Overview, LogEntry } from '#shared/contract/operator.ts'
import { Card } from '../../ui/frames/card.tsx'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { formatNumber } from '../../format.ts'
import { Name, nameOf } from '../../ui/people/name.tsx'

export function OperatorScreen() {
  const overview = useQuery(operatorQueries.overview())
  if (isNotFound(overview.error)) return <NotThere />
  return (
    <Screen title={texts.title} lead={texts.lead}>
      <Loaded query={overview} failed={texts.failed} skeleton={<ListSkeleton />}>
        {(loaded) => (
          <>
            <div className="grid items-start gap-6 md:grid-cols-2">
              <WorkCard overview={loaded} />
              <PeopleCard overview={loaded} />
            </div>
            <div className="grid items-start gap-6 xl:grid-cols-2">
              <div className="grid min-w-0 gap-6">
                <ReportsCard />
                <AccountsCard />
                <LogCard />
              </div>
              <div className="grid min-w-0 gap-6">
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
  const { title, hint, back } = notFound
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

/** Figures with their names, as a list of definitions. */
function Figures({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 divide-y divide-line/50">
      {rows.map(([name, value]) => (
        <div key={name} className="flex min-h-11 items-center justify-between gap-4">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-right font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function PeopleCard({ overview: { people, groups, nights } }: { overview: Overview }) {
  return (
    <Card title={texts.people}>
      <Figures
        rows={[
          [texts.signedIn, formatNumber(people.signed_in)],
          [texts.activeWeek, formatNumber(people.active_7_days)],
          [texts.activeMonth, formatNumber(people.active_30_days)],
          [texts.groups, formatNumber(groups)],
          [texts.nights, formatNumber(nights)],
        ]}
      />
    </Card>
  )
}

function WorkCard({ overview: { platform, refresh_list: refreshes, outbox } }: { overview: Overview }) {
  return (
    <Card title={texts.work}>
      <Figures
        rows={[
          [texts.callsUsed, formatNumber(platform.used_today)],
          [texts.callsLeft, formatNumber(platform.left_today)],
          ...(platform.blocked_until === null
            ? []
            : [[texts.blockedUntil, <RelativeTime key="until" time={platform.blocked_until} />] as const]),
          [texts.waiting, formatNumber(refreshes.waiting)],
          [texts.failing, formatNumber(refreshes.failing)],
          [
            texts.oldest,
            refreshes.oldest_at === null ? (
              texts.nothingWaits
            ) : (
              <RelativeTime key="oldest" time={refreshes.oldest_at} />
            ),
          ],
          [texts.outbox, formatNumber(outbox)],
        ]}
      />
    </Card>
  )
}

function LogCard() {
  const log = useInfiniteQuery(operatorQueries.log())
  return (
    <Card title={texts.log}>
      <p className="text-sm text-soft">{texts.logHint}</p>
      <Loaded query={log} failed={texts.logFailed} skeleton={<ListSkeleton rows={3} />}>
        {({ pages }) =>
          pages[0]?.entries.length === 0 ? (
            <p className="text-sm text-soft">{texts.noLog}</p>
          ) : (
            <ol aria-label={texts.log} className="grid divide-y divide-line/50">
              {pages
                .flatMap(({ entries }) => entries)
                .map((entry) => (
                  <Entry key={entry.entry_id} entry={entry} />
                ))}
            </ol>
          )
        }
      </Loaded>
      {log.hasNextPage && (
        <Button
          className="self-start"
          busy={log.isFetchingNextPage}
          busyLabel={texts.working}
          onClick={() => void log.fetchNextPage()}
        >
          {texts.older}
        </Button>
      )}
    </Card>
  )
}

function Entry({ entry }: { entry: LogEntry }) {
  const { action, account, detail, reason, operator, at } = entry
  const did = texts.actions[action]
  return (
    <li className="grid gap-0.5 py-2.5">
      <p className="font-medium">
        {typeof did === 'string' ? (
          did
        ) : (
          <Sentence
            text={did}
            values={{ account: <Name>{account ? nameOf(account) : texts.deletedAccount}</Name> }}
          />
        )}
        {detail !== null && (
          <>
            {': '}
            <Name>{detail}</Name>
          </>
        )}
      </p>
      <p className="text-sm break-words">
        <Name>{reason}</Name>
      </p>
      <p className="text-sm text-soft">
        <Sentence
          text={texts.by}
          values={{
            operator: <Name>{operator ? nameOf(operator) : texts.deletedAccount}</Name>,
            time: <RelativeTime time={at} />,
          }}
        />
      </p>
    </li>
  )
}

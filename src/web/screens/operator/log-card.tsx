/** What operators did, newest first (OPER-17). */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { LogEntry } from '#shared/contract/operator.ts'
import { operatorQueries } from '../../data/operator.ts'
import { operator as texts } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'

/** Actions on an account, which the entry names unless it was deleted. */
const ON_ACCOUNTS: ReadonlySet<LogEntry['action']> = new Set([
  'block',
  'unblock',
  'sign_out',
  'delete_account',
  'hand_over',
])

export function LogCard() {
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
  return (
    <li className="grid gap-0.5 py-2.5">
      <p className="font-medium">
        {texts.actions[action]}
        {ON_ACCOUNTS.has(action) && (
          <>
            {' '}
            <Name>{account ? nameOf(account) : texts.deletedAccount}</Name>
          </>
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
        {texts.by} <Name>{operator ? nameOf(operator) : texts.deletedAccount}</Name>,{' '}
        <RelativeTime time={at} />
      </p>
    </li>
  )
}

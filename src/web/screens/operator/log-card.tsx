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
import { Sentence } from '../../ui/sentence.tsx'
import { ListSkeleton } from '../../ui/skeletons.tsx'

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

/** What happened in 30 days among friends and groups (LATELY-3). */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { syncQueries } from '../../data/sync.ts'
import { LatelyList } from '../../layout/lately.tsx'
import { lately as text } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'

export function LatelyScreen() {
  const query = useInfiniteQuery(syncQueries.lately(useSignedIn().steamId))
  return (
    <Screen title={text.title} lead={text.lead}>
      <Loaded
        query={query}
        failed={text.failed}
        skeleton={<ListSkeleton />}
        isEmpty={({ pages }) => pages[0]?.entries.length === 0}
        empty={<EmptyState icon={<Sparkles />}>{text.empty}</EmptyState>}
      >
        {({ pages }) => (
          <section aria-label={text.title} className="frosted max-w-4xl rounded-card p-5">
            <LatelyList entries={pages.flatMap(({ entries }) => entries)} />
          </section>
        )}
      </Loaded>
      {query.hasNextPage && (
        <Button
          className="self-start"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </Screen>
  )
}

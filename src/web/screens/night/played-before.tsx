/** What earlier nights of the same people say: a card, on phones one line that unfolds (MEMORY-6). */
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { nightHistoryQuery } from '../../data/night-history.ts'
import { HistoryText, saysAnything } from '../../layout/nights/night-history.tsx'
import { nightMemory as text } from '../../more-messages.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/relative-time.tsx'

/** Nothing until it is known, and where there is nothing to say. */
export function PlayedBefore({ nightId }: { nightId: number }) {
  const { data: history } = useQuery(nightHistoryQuery(nightId))
  const [isUnfolded, unfold] = useState(false)
  const [heading, content] = [useId(), useId()]
  const now = useNow()
  if (!history || !saysAnything(history)) return null
  return (
    <section
      aria-labelledby={heading}
      className="frosted grid min-w-0 gap-3 rounded-card p-5 max-sm:gap-2 max-sm:px-3 max-sm:py-1.5"
    >
      <div className="flex min-h-11 items-center justify-between gap-3">
        <h2 id={heading} className="min-w-0 text-lg font-semibold tracking-tight max-sm:text-sm">
          {text.title}
        </h2>
        <Button
          variant="quiet"
          className="shrink-0 px-2! sm:hidden"
          icon={<ChevronDown aria-hidden className={`transition ${isUnfolded ? 'rotate-180' : ''}`} />}
          aria-expanded={isUnfolded}
          aria-controls={content}
          aria-describedby={heading}
          onClick={() => unfold(!isUnfolded)}
        >
          {text.nights({ count: history.nights })}
        </Button>
      </div>
      <div id={content} className={isUnfolded ? 'max-sm:pb-2' : 'max-sm:hidden'}>
        <HistoryText history={history} now={now} />
      </div>
    </section>
  )
}

/** How a draw is decided, with the hash of its seed, for who wants to note it before the vote (NIGHT-86). */
import { ChevronRight } from 'lucide-react'
import { nights } from '../../more-messages.ts'
import { Sentence } from '../../ui/sentence.tsx'

const text = nights.tie

/** @param hash in hex */
export function DrawExplained({ hash }: { hash: string }) {
  return (
    <details className="group/fold border-t border-line/60 pt-3 text-sm">
      <summary className="flex min-h-11 w-fit list-none items-center gap-2 rounded-control pr-3 font-semibold hover:text-mint-bright [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-5 text-soft transition group-open/fold:rotate-90" />
        {text.how}
      </summary>
      <p className="pt-2 text-soft">
        <Sentence
          text={text.howText}
          values={{ hash: <code className="font-mono break-all text-ink">{hash}</code> }}
        />
      </p>
    </details>
  )
}

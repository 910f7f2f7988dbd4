/** How a draw is decided, with the hash of its seed, for who wants to note it before the vote (NIGHT-86). */
import { nights } from '../../more-messages.ts'
import { Fold } from '../../ui/fold.tsx'
import { Sentence } from '../../ui/sentence.tsx'

const text = nights.tie

/** @param hash in hex */
export function DrawExplained({ hash }: { hash: string }) {
  return (
    <Fold isSmall title={text.how}>
      <p className="text-sm text-soft">
        <Sentence
          text={text.howText}
          values={{ hash: <code className="font-mono break-all text-ink">{hash}</code> }}
        />
      </p>
    </Fold>
  )
}

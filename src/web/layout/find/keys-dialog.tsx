/** The list of keys (NAV-12). */
import { Fragment, useState } from 'react'
import { keyList as text } from 'virtual:texts'
import { Dialog } from '../../ui/dialog.tsx'
import { setUsesSingleKeys, usesSingleKeys } from './single-keys.ts'

/** Keys that do the same, each a key or several pressed together. */
const rows: { keys: string[]; does: string }[] = [
  { keys: ['/', text.keys.ctrlK], does: text.find },
  { keys: ['?'], does: text.list },
  { keys: ['↑', '↓'], does: text.move },
  { keys: [text.keys.enter], does: text.choose },
  { keys: [text.keys.space], does: text.chooseSeveral },
  { keys: ['Esc'], does: text.close },
  { keys: ['Tab'], does: text.tab },
]

export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} title={text.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-5 gap-y-2.5 text-sm">
        {rows.map(({ keys, does }) => (
          <Fragment key={does}>
            <dt className="flex flex-wrap items-center gap-1.5">
              {keys.map((key, nth) => (
                <Fragment key={key}>
                  {nth > 0 && <span className="text-xs text-soft">{text.or}</span>}
                  <Key>{key}</Key>
                </Fragment>
              ))}
            </dt>
            <dd className="text-soft">{does}</dd>
          </Fragment>
        ))}
      </dl>
      <SingleKeys />
    </Dialog>
  )
}

export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-grid min-h-7 min-w-7 place-items-center rounded-chip border border-edge/50 bg-deep/70 px-1.5 font-sans text-xs font-semibold whitespace-nowrap text-ink">
      {children}
    </kbd>
  )
}

function SingleKeys() {
  const [uses, setUses] = useState(usesSingleKeys)
  return (
    <label className="flex min-h-11 cursor-pointer items-start gap-3 rounded-control border border-line/70 p-3.5 text-sm has-focus-visible:outline-2 has-focus-visible:outline-mint">
      <input
        type="checkbox"
        checked={uses}
        onChange={({ target }) => {
          setUsesSingleKeys(target.checked)
          setUses(target.checked)
        }}
        className="mt-0.5 size-4 shrink-0 accent-violet focus-visible:outline-none"
      />
      <span className="grid min-w-0">
        <span className="font-medium">{text.single({ keys: '/ ?' })}</span>
        <span className="text-soft">{text.singleHint}</span>
      </span>
    </label>
  )
}

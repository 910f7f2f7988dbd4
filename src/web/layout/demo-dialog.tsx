/** How a demo becomes the real thing, in four steps (DEMO-3). */
import { messages, demo as text } from 'virtual:texts'
import { Dialog } from '../ui/frames/dialog.tsx'
import type { DialogState } from '../ui/frames/lazy-dialog.tsx'

export function DemoDialog({ open, onClose }: DialogState) {
  return (
    <Dialog open={open} title={text.title} closeLabel={messages.close} onClose={onClose}>
      <p className="text-soft">{text.lead}</p>
      <ol className="grid gap-3">
        {text.steps.map((step, nth) => (
          <li key={step.title} className="grid grid-cols-[2rem_1fr] gap-x-3">
            <span
              aria-hidden
              className="grid size-8 place-items-center rounded-round bg-amber/10 font-semibold text-amber"
            >
              {nth + 1}
            </span>
            <div className="grid min-w-0 gap-1">
              <h3 className="font-semibold">{step.title}</h3>
              <p className="text-sm text-soft">{step.text}</p>
              <code className="rounded-control wrap-anywhere bg-raised px-3 py-1.5 text-xs sm:text-sm">
                {step.code}
              </code>
            </div>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

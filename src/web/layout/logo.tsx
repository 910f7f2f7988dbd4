import { Link } from 'react-router'
import { isDemo } from '../demo.ts'
import { messages, navigation } from 'virtual:texts'
import { useLazyDialog } from '../ui/frames/lazy-dialog.tsx'

/**
 * Logo (LOOK-8) and product name, linking to the dashboard, with a badge in demo mode (DEMO-3). The badge moves below
 * the name where large text leaves no room.
 */
export function Logo() {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 max-[22rem]:gap-x-1.5">
      <Link
        to="/dashboard"
        className="flex min-h-11 items-center gap-2.5 rounded-control text-xl font-bold tracking-tight whitespace-nowrap max-[22rem]:gap-1.5 max-[22rem]:text-lg lg:shrink-0"
      >
        <img src="/logo.svg" alt="" width={36} height={36} className="size-9 max-[22rem]:size-8" />
        {messages.product}
      </Link>
      {isDemo && <DemoBadge />}
    </div>
  )
}

const load = () => import('./demo-dialog.tsx').then((module) => module.DemoDialog)
const NO_PROPS = {}

/** Says that this is a demo, and opens the steps to the real platform (DEMO-3). */
function DemoBadge() {
  const { open, dialog } = useLazyDialog(load, NO_PROPS)
  return (
    <>
      <button
        type="button"
        onClick={open}
        title={navigation.demoHint}
        className="group/demo flex min-h-11 items-center"
      >
        <span className="rounded-round border border-amber/40 bg-amber/10 px-2 py-0.5 text-xs font-semibold whitespace-nowrap text-amber group-hover/demo:bg-amber/20 max-[22rem]:px-1.5">
          {navigation.demo}
        </span>
      </button>
      {dialog}
    </>
  )
}

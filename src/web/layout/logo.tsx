import { Link } from 'react-router'
import { isDemo } from '../demo.ts'
import { messages } from '../messages.ts'

/** Logo and product name, linking to the dashboard, with a badge in demo mode (DEMO-3). */
export function Logo() {
  return (
    <div className="flex min-w-0 items-center gap-2.5 max-[22rem]:gap-1.5">
      <Link
        to="/dashboard"
        className="flex min-h-11 items-center gap-2.5 rounded-control text-xl font-bold tracking-tight whitespace-nowrap max-[22rem]:gap-1.5 max-[22rem]:text-lg"
      >
        <img src="/logo.svg" alt="" width={36} height={36} className="size-9 max-[22rem]:size-8" />
        {messages.product}
      </Link>
      {isDemo && (
        <span
          title={messages.navigation.demoHint}
          className="rounded-round border border-amber/40 bg-amber/10 px-2 py-0.5 text-xs whitespace-nowrap max-[22rem]:px-1.5 font-semibold text-amber"
        >
          {messages.navigation.demo}
        </span>
      )}
    </div>
  )
}

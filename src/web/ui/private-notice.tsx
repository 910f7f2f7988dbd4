/** A notice that data is private on Steam, and how to change that. */
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { SteamPrivacyLink } from './steam-privacy.tsx'

/** A notice with a heading; data synced earlier may stand below it (DATA-1). */
export function PrivateNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex items-start gap-4 rounded-card border border-violet/35 bg-violet-deep/20 p-5">
      <Lock aria-hidden className="mt-0.5 size-5 shrink-0 text-violet" />
      <div className="grid gap-1">
        <h2 className="font-semibold">{title}</h2>
        <p className="max-w-[70ch] text-sm text-soft">{children}</p>
        <SteamPrivacyLink />
      </div>
    </section>
  )
}

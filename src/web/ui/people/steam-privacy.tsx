/** Links to Steam, and what is private there and how to change that (NIGHT-132). */
import { library as text } from 'virtual:texts'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'

/** Stands wherever a page says which of one's own settings to change. */
export function SteamPrivacyLink() {
  return (
    <a
      href={STEAM_PRIVACY}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 items-center justify-self-start font-semibold text-mint underline-offset-4 hover:underline"
    >
      {text.toPrivacy}
      <span className="sr-only"> {text.inNewTab}</span>
    </a>
  )
}

/** One's own privacy settings. */
export const STEAM_PRIVACY = 'https://steamcommunity.com/my/edit/settings'

/** A link to the game's page in the store, which learns nothing of where it came from. */
export const storeOf = (appid: number) => ({
  to: `https://store.steampowered.com/app/${appid}/`,
  target: '_blank',
  rel: 'noopener noreferrer',
})

/** Opens the game, or offers to install it, in Steam's own program. */
export const launchOf = (appid: number) => `steam://run/${appid}`
export const installOf = (appid: number) => `steam://install/${appid}`

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

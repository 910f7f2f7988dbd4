/** The way to one's own privacy settings on Steam (NIGHT-132). */
import { messages } from '../messages.ts'
import { STEAM_PRIVACY } from './steam-links.ts'

const { library: text } = messages

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

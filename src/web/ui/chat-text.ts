/** Texts to paste into a chat. */

/** Names can be any text; one with a line break would look like a second message. */
export function oneLine(name: string): string {
  return name.replace(/\s+/gu, ' ').trim()
}

/** A time that Discord shows each reader in their own time zone (NIGHT-149). */
export function discordTime(at: number): string {
  return `<t:${Math.floor(at / 1000)}:F>`
}

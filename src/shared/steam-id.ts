/** Which texts are steam ids; without the schemas of entities.ts, which the pages do not load. */

/** Range of the steam ids of individual accounts (OID-6); can be compared as text, because all have 17 digits. */
const FIRST_STEAM_ID = '76561197960265729'
const LAST_STEAM_ID = '76561202255233023'

/** Whether a text is the steam id of an individual account: 17 digits within the range of OID-6. */
export function isSteamId(text: string): boolean {
  return /^\d{17}$/.test(text) && text >= FIRST_STEAM_ID && text <= LAST_STEAM_ID
}

/**
 * The steam id in a text that is one or the address of a profile with one; undefined for anything else, such as the
 * address of a profile by its chosen name.
 */
export function steamIdIn(text: string): string | undefined {
  const [, id = ''] =
    /^(?:(?:https?:\/\/)?(?:www\.)?steamcommunity\.com\/profiles\/)?(\d{17})(?:[/?#].*)?$/i.exec(
      text.trim(),
    ) ?? []
  return isSteamId(id) ? id : undefined
}

/** Addresses of games' pictures on the platform's hosts (PLAT-33, PLAT-34). */
const ICONS = 'https://media.steampowered.com/steamcommunity/public/images/apps'
const STORE_ASSETS = 'https://shared.akamai.steamstatic.com/store_item_assets/'
const OLDER_HEADERS = 'https://cdn.akamai.steamstatic.com/steam/apps'

/** A game's small square icon, by the hash that GetOwnedGames gives. */
export function iconUrl(appid: number, hash: string): string {
  return `${ICONS}/${appid}/${hash}.jpg`
}

/** A game's wide picture where the store was not asked yet; newer apps have none there. */
export function headerUrl(appid: number): string {
  return `${OLDER_HEADERS}/${appid}/header.jpg`
}

/**
 * A picture that the store names: its `asset_url_format`, with the file name put in place of `${FILENAME}`. Null
 * when the two do not make an address below the store's assets.
 */
export function storeAssetUrl(format: string, fileName: string): string | null {
  if (!format.includes('${FILENAME}')) return null
  const address = STORE_ASSETS + format.replace('${FILENAME}', () => fileName)
  const url = URL.canParse(address) ? new URL(address).href : ''
  return url.startsWith(STORE_ASSETS) ? url : null
}

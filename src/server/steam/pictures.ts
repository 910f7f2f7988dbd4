/** URLs of games' pictures on Steam's hosts (PLAT-33), and all hosts of its pictures. */
const ICONS = 'https://media.steampowered.com/steamcommunity/public/images/apps'
const STORE_ASSETS = 'https://shared.akamai.steamstatic.com/store_item_assets/'
const OLDER_HEADERS = 'https://cdn.akamai.steamstatic.com/steam/apps'

/** Hosts of Steam's pictures, whose pictures browsers may load (PIC-9). */
export const STEAM_PICTURE_HOSTS: readonly string[] = [
  'avatars.steamstatic.com',
  'avatars.akamai.steamstatic.com',
  'avatars.cloudflare.steamstatic.com',
  'avatars.fastly.steamstatic.com',
  // Steam's avatars for players in China.
  'avatars.st.dl.eccdnx.com',
  'steamcdn-a.akamaihd.net',
  'media.steampowered.com',
  'shared.akamai.steamstatic.com',
  'shared.cloudflare.steamstatic.com',
  'shared.fastly.steamstatic.com',
  'cdn.akamai.steamstatic.com',
  'cdn.cloudflare.steamstatic.com',
]

/** URL of a game's small square icon, by the hash from GetOwnedGames. */
export function iconUrl(appid: number, hash: string): string {
  return `${ICONS}/${appid}/${hash}.jpg`
}

/** URL of a game's wide picture without store details; newer apps have no picture there. */
export function headerUrl(appid: number): string {
  return `${OLDER_HEADERS}/${appid}/header.jpg`
}

/**
 * URL of a picture from store details: `asset_url_format` with `${FILENAME}` replaced by the file name. Null when the
 * result is not a URL below the store's assets.
 */
export function storeAssetUrl(format: string, fileName: string): string | null {
  if (!format.includes('${FILENAME}')) return null
  const text = STORE_ASSETS + format.replace('${FILENAME}', () => fileName)
  const url = URL.canParse(text) ? new URL(text).href : ''
  return url.startsWith(STORE_ASSETS) ? url : null
}

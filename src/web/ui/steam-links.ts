/** Links to Steam. */

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

/** A simulator without players for the length of a test, for servers that run as processes of their own. */
import { onTestFinished } from 'vitest'
import { startSimulator } from '../../src/simulator/simulator.ts'

const KEY = 'steam-key-ABCDEF0123456789'

/** Starts it; `steam` are the variables of a server that uses it. */
export async function startSteam() {
  const simulator = await startSimulator({ world: { players: [], apps: [] }, apiKey: KEY })
  onTestFinished(() => simulator.close())
  const steam = { STEAM_API_KEY: KEY, STEAM_API_URL: simulator.apiUrl, STEAM_OPENID_URL: simulator.openidUrl }
  return { simulator, steam }
}

/** Creates game nights in the database, for tests of what surrounds them. */
import {
  addDraw,
  addPlayers,
  changeNight,
  changeNightPlayer,
  createNight,
} from '../../src/server/storage/nights/nights.ts'
import type { Product, TestPlayer } from './product.ts'

type NightOptions = {
  host: TestPlayer
  players?: TestPlayer[]
  groupId?: number
  title?: string
  /** Milliseconds since 1970; now by default. */
  startsAt?: number
}

/** A night of a host, who is in, and players who have not answered; returns its id. */
export function makeNight(app: Product, options: NightOptions): Promise<number> {
  const { host, players = [], groupId, title } = options
  const now = app.deps.clock()
  return app.database.transaction(async (tx) => {
    const nightId = await createNight(tx, {
      group_id: groupId ?? null,
      host_steam_id: host.steam_id,
      title: title ?? null,
      starts_at: options.startsAt ?? now,
      created_at: now,
      planned: 0,
      forbids: 0,
    })
    const ids = [host, ...players].map((player) => player.steam_id)
    await addPlayers(tx, nightId, ids, { by: host.steam_id, at: now })
    await changeNightPlayer(tx, nightId, host.steam_id, { answer: 'in', answered_at: now })
    return nightId
  })
}

/** Changes a night without changing anything that is shown, so that its version rises. */
export async function touchNight(app: Product, nightId: number): Promise<void> {
  await app.database.transaction((tx) => changeNight(tx, nightId))
}

/** Sets what a player has answered. */
export async function answerAs(
  app: Product,
  nightId: number,
  { steam_id }: TestPlayer,
  answer: 'in' | 'maybe' | 'out' | null,
): Promise<void> {
  await app.database.transaction(async (tx) => {
    await changeNightPlayer(tx, nightId, steam_id, { answer, answered_at: app.deps.clock() })
    await changeNight(tx, nightId)
  })
}

/** A night that picked a game after another draw, of the players in the order of their answers; the first is the host. */
export async function makePick(
  app: Product,
  pick: { startsAt: number; appids: readonly [number, number]; groupId?: number },
  answers: readonly (readonly [TestPlayer, 'in' | 'maybe' | 'out' | null])[],
): Promise<void> {
  const [host, ...players] = answers.map(([player]) => player)
  const nightId = await makeNight(app, { host: host!, players, ...pick })
  for (const [player, answer] of answers) await answerAs(app, nightId, player, answer)
  const draw = { night_id: nightId, by: 'votes', odds: [], reason: null, drawn_by: null } as const
  const result = '{"entries":[],"scores":[],"by":"votes","everythingRuledOut":false}'
  await app.database.transaction(async (tx) => {
    for (const [nth, appid] of pick.appids.entries())
      await addDraw(tx, { ...draw, number: nth + 1, appid, at: pick.startsAt }, { result })
  })
}

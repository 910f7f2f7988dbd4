/** Time limits and slots of the client, over real HTTP. */
import { describe, expect, test } from 'vitest'
import { answer } from '../../../tests/support/scripted-server.ts'
import { clientOf, failureOf, HTML, json, ME, owned, portal } from '../../../tests/support/scripted-steam.ts'
import { type Urgency } from './port.ts'

describe('time limits and slots', () => {
  test('a click fails at its deadline, however slow Steam is', async () => {
    const { steam, requests } = await clientOf(() => undefined, {
      timing: { timeoutMs: 60_000, deadlineMs: 300 },
    })
    expect((await failureOf(steam.ownedGames(ME, 'interactive'))).failure).toBe('timeout')
    expect(requests).toHaveLength(1)
  })

  test('a click that waits too long for the budget fails at its deadline and sends nothing later', async () => {
    const late = Promise.withResolvers<{ failing: boolean }>()
    const { steam, requests, outcomes, said } = await clientOf(json(owned(portal)), {
      take: () => late.promise,
      timing: { deadlineMs: 80 },
    })
    expect((await failureOf(steam.ownedGames(ME, 'interactive'))).failure).toBe('timeout')
    late.resolve({ failing: false })
    await nextTurn()
    expect([requests, outcomes, said]).toEqual([[], [], []])
  })

  test.each(['interactive', 'background'] as const)('the caller’s signal ends a %s', async (urgency) => {
    const { steam, requests } = await clientOf(() => undefined)
    const limit = new AbortController()
    const call = failureOf(steam.profiles([ME], urgency, limit.signal))
    await until(() => requests.length === 1)
    limit.abort()
    expect((await call).failure).toBe('timeout')
    expect((await failureOf(steam.ownedGames(ME, urgency, limit.signal))).failure).toBe('timeout')
    expect(requests).toHaveLength(1)
  })

  /** Numbered calls whose responses are sent one by one, in the order in which they got their slots. */
  async function slots() {
    const waiting: { nth: number; reply: () => void }[] = []
    const scripted = await clientOf((response, { query }) => {
      const nth = Number(BigInt(query.get('steamid')!) - BigInt(ME))
      waiting.push({ nth, reply: () => json(owned(portal))(response) })
    })
    const calls: Promise<unknown>[] = []
    /** Starts calls and expects `running` of them in all to have a slot. */
    const start = async (urgency: Urgency, numbers: number[], running: number) => {
      for (const nth of numbers)
        calls.push(scripted.steam.ownedGames(String(BigInt(ME) + BigInt(nth)), urgency))
      await nextTurn()
      expect(scripted.turns).toHaveLength(running)
      await until(() => waiting.length === running)
    }
    const finish = async () => {
      for (let nth = 0; nth < calls.length; nth++) {
        await until(() => waiting.length > nth)
        waiting[nth]!.reply()
      }
      await Promise.all(calls)
      return waiting.map(({ nth }) => nth)
    }
    return { start, finish }
  }

  test('REF-6: four requests run at a time, and background requests take at most two of the slots', async () => {
    const { start, finish } = await slots()
    await start('background', [1, 2, 3], 2)
    await start('interactive', [11, 12, 13], 4)
    const order = await finish()
    expect(order.slice(0, 2).toSorted()).toEqual([1, 2])
    expect(order.slice(2, 4).toSorted((a, b) => a - b)).toEqual([11, 12])
    expect(order.slice(4)).toEqual([13, 3])
  })

  test('a click goes before a background call that has waited longer', async () => {
    const { start, finish } = await slots()
    await start('interactive', [11, 12, 13, 14], 4)
    await start('background', [1], 4)
    await start('interactive', [15], 4)
    expect((await finish()).slice(4)).toEqual([15, 1])
  })

  test('calls for many libraries go after clicks and before the refresh list, and leave a slot free', async () => {
    const { start, finish } = await slots()
    await start('group', [21, 22, 23, 24], 3)
    await start('background', [1], 3)
    await start('interactive', [11, 12], 4)
    expect((await finish()).slice(4)).toEqual([12, 24, 1])
  })

  test('while a host keeps failing, a click is not retried', async () => {
    let failing = true
    const { steam, requests } = await clientOf((response) => answer(response, 500, 'down', HTML), {
      take: async () => ({ failing }),
    })
    expect((await failureOf(steam.ownedGames(ME, 'interactive'))).failure).toBe('unavailable')
    expect(requests).toHaveLength(1)
    failing = false
    expect((await failureOf(steam.ownedGames(ME, 'group'))).failure).toBe('unavailable')
    expect(requests).toHaveLength(5)
  })
})

/** Resolves after everything that is already queued in the event loop. */
async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** Waits until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn()
}

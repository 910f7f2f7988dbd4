/** How slots are counted, waited for and given back; their uses have tests of their own. */
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { AppError } from './errors.ts'
import { type SlotLimits, Slots, takeAll } from './slots.ts'

const slots = (limits: Partial<SlotLimits>) => new Slots({ refusal: () => new AppError('busy'), ...limits })
const client = () => Object.assign(new EventEmitter(), { destroyed: false })

test('a slot is given back once, however often that is asked for', () => {
  const all = slots({ total: 2, perKey: 1 })
  const giveBack = all.take('a')
  expect(() => all.take('a')).toThrow(AppError)
  const other = all.take('b')
  expect(() => all.take('c')).toThrow(AppError)
  giveBack()
  giveBack()
  expect([all.inUse, all.of('a'), all.of('b')]).toEqual([1, 0, 1])
  all.take('c')
  expect(() => all.take('a')).toThrow(AppError)
  other()
})

test('of several, all are taken or none', () => {
  const [many, few] = [slots({ perKey: 10 }), slots({ perKey: 1 })]
  const giveBack = takeAll([many, 'net'], [few, 'ada'])
  expect(() => takeAll([many, 'net'], [few, 'ada'])).toThrow(AppError)
  expect([many.inUse, few.inUse]).toEqual([1, 1])
  giveBack()
  expect([many.inUse, few.inUse]).toEqual([0, 0])
})

test('who waits gets the slot in the order of arrival, and who comes later does not pass them', async () => {
  const one = slots({ perKey: 1, waiting: 2 })
  const first = one.take('a')
  const order: string[] = []
  const wait = async (name: string) => {
    const giveBack = await one.enter('a')
    order.push(name)
    return giveBack
  }
  const [second, third] = [wait('second'), wait('third')]
  await expect(async () => one.enter('a')).rejects.toThrow(AppError)
  first()
  expect(() => one.take('a')).toThrow(AppError)
  ;(await second)()
  ;(await third)()
  expect([order, one.inUse]).toEqual([['second', 'third'], 0])
})

test('who leaves or waits too long leaves nothing behind', async () => {
  const one = slots({ perKey: 1, waiting: 2, waitMs: 20 })
  const giveBack = one.take('a')
  const leaver = client()
  const waits = [one.enter('a', leaver), one.enter('a', client())]
  leaver.emit('close')
  for (const wait of waits) await expect(wait).rejects.toThrow(AppError)
  expect(leaver.listenerCount('close')).toBe(0)
  giveBack()
  expect(one.inUse).toBe(0)
  one.take('a')()
})

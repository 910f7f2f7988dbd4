import { describe, expect, test } from 'vitest'
import {
  canAddMembers,
  closedWizard,
  pictureToSet,
  type Wizard,
  wizardAfter,
  type WizardEvent,
} from './wizard.ts'

const group = { groupId: 7, name: 'Friday' }
const ADA = '76561197960265731'
const BOB = '76561197960265732'

/** The wizard after these events, from the closed one. */
function after(...events: WizardEvent[]): Wizard {
  return events.reduce(wizardAfter, closedWizard)
}

const toMembers: WizardEvent[] = [
  { type: 'opened' },
  { type: 'nameTyped', name: 'Friday' },
  { type: 'sent' },
  { type: 'created', opening: 1, group },
]
const toPicture: WizardEvent[] = [
  ...toMembers,
  { type: 'memberToggled', steamId: ADA },
  { type: 'sent' },
  { type: 'membersSettled', opening: 1 },
]

describe('opening', () => {
  test('+ opens at the name step with nothing in it', () => {
    expect(after({ type: 'opened' })).toEqual({ opening: 1, step: 'name', name: '' })
  })

  test.each([
    ['a typed name', [{ type: 'opened' }, { type: 'nameTyped', name: 'Old' }]],
    ['an error', [{ type: 'opened' }, { type: 'createFailed', opening: 1, error: 'No.' }]],
    ['chosen friends', [...toMembers, { type: 'memberToggled', steamId: ADA }]],
    ['a typed picture address', [...toPicture, { type: 'urlTyped', url: 'https://a.example/b.png' }]],
    ['the word of success', [...toPicture, { type: 'pictureSet', opening: 1 }]],
  ] satisfies [string, WizardEvent[]][])('+ clears %s', (_, events) => {
    expect(after(...events, { type: 'opened' })).toMatchObject({ step: 'name', name: '' })
    expect(after(...events, { type: 'opened' })).not.toHaveProperty('error')
  })
})

describe('name', () => {
  test('a created group moves on to members and its id is kept', () => {
    expect(after(...toMembers)).toEqual({ opening: 1, step: 'members', group, chosen: [] })
  })

  test('a refusal stays at the name, says why and keeps what was typed', () => {
    const refused = after(
      { type: 'opened' },
      { type: 'nameTyped', name: 'Friday' },
      { type: 'sent' },
      { type: 'createFailed', opening: 1, error: 'Failed to create group.' },
    )
    expect(refused).toMatchObject({
      step: 'name',
      name: 'Friday',
      error: 'Failed to create group.',
    })
  })

  test('trying again takes the old error away', () => {
    const again = after(
      { type: 'opened' },
      { type: 'createFailed', opening: 1, error: 'Network error.' },
      { type: 'sent' },
    )
    expect(again).toEqual({ opening: 1, step: 'name', name: '', error: undefined })
  })
})

describe('members', () => {
  test('choosing toggles per friend', () => {
    const chosen = (...ids: string[]) =>
      after(...toMembers, ...ids.map((steamId): WizardEvent => ({ type: 'memberToggled', steamId })))
    expect(chosen(ADA)).toMatchObject({ chosen: [ADA] })
    expect(chosen(ADA, BOB)).toMatchObject({ chosen: [ADA, BOB] })
    expect(chosen(ADA, BOB, ADA)).toMatchObject({ chosen: [BOB] })
    expect(chosen(ADA, ADA)).toMatchObject({ chosen: [] })
  })

  test('Add Members needs at least one friend', () => {
    const one: WizardEvent = { type: 'memberToggled', steamId: ADA }
    expect(canAddMembers(after(...toMembers))).toBe(false)
    expect(canAddMembers(after(...toMembers, one))).toBe(true)
    expect(canAddMembers(after(...toMembers, one, one))).toBe(false)
  })

  test('Add Members cannot be pressed at another step', () => {
    expect(canAddMembers(closedWizard)).toBe(false)
    expect(canAddMembers(after({ type: 'opened' }))).toBe(false)
    expect(canAddMembers(after(...toPicture))).toBe(false)
  })

  test('whatever the answer, the picture comes next, for the same group', () => {
    expect(after(...toPicture)).toEqual({ opening: 1, step: 'picture', group, url: '' })
  })
})

describe('picture', () => {
  test.each(['', '   '])('Set Picture does nothing with the address "%s"', (url) => {
    expect(pictureToSet(after(...toPicture, { type: 'urlTyped', url }))).toBeUndefined()
  })

  test('Set Picture does nothing without a group', () => {
    for (const wizard of [closedWizard, after({ type: 'opened' }), after(...toMembers)])
      expect(pictureToSet(wizard)).toBeUndefined()
  })

  test('Set Picture sends the address without the blanks around it', () => {
    const typed: WizardEvent[] = [...toPicture, { type: 'urlTyped', url: ' https://a.example/b.png ' }]
    expect(pictureToSet(after(...typed))).toBe('https://a.example/b.png')
  })

  test('success closes, resets and is said', () => {
    expect(after(...toPicture, { type: 'pictureSet', opening: 1 })).toEqual({
      opening: 2,
      step: 'closed',
      pictureUpdated: true,
    })
  })

  test('success is said until another action begins, and what is open is left alone', () => {
    const done = after(...toPicture, { type: 'pictureSet', opening: 1 }, { type: 'successSeen' })
    expect(done).toEqual({ opening: 2, step: 'closed', pictureUpdated: false })
    for (const wizard of [closedWizard, after({ type: 'opened' }), after(...toMembers), after(...toPicture)])
      expect(wizardAfter(wizard, { type: 'successSeen' })).toBe(wizard)
  })

  test('failure is said beside the address, which stays', () => {
    const failed = after(
      ...toPicture,
      { type: 'urlTyped', url: 'https://a.example/b.png' },
      { type: 'sent' },
      { type: 'pictureFailed', opening: 1, error: 'Failed to update picture.' },
    )
    expect(failed).toMatchObject({
      step: 'picture',
      url: 'https://a.example/b.png',
      error: 'Failed to update picture.',
    })
  })
})

describe('closing', () => {
  test.each([
    ['name', [{ type: 'opened' }]],
    ['members', toMembers],
    ['picture', toPicture],
  ] satisfies [string, WizardEvent[]][])(
    'Skip and the cross reset everything at the %s step',
    (_, events) => {
      expect(after(...events, { type: 'cancelled' })).toEqual({
        opening: 2,
        step: 'closed',
        pictureUpdated: false,
      })
    },
  )

  const answers: WizardEvent[] = [
    { type: 'created', opening: 1, group },
    { type: 'createFailed', opening: 1, error: 'No.' },
    { type: 'membersSettled', opening: 1 },
    { type: 'pictureSet', opening: 1 },
    { type: 'pictureFailed', opening: 1, error: 'No.' },
  ]

  test.each(answers)('an answer that comes after closing is not applied: $type', (answer) => {
    const closed = after(...toPicture, { type: 'cancelled' })
    expect(wizardAfter(closed, answer)).toBe(closed)
  })

  test.each(answers)('an answer to an earlier opening is not applied to the next: $type', (answer) => {
    const anew = after({ type: 'opened' }, { type: 'sent' }, { type: 'opened' })
    expect(wizardAfter(anew, answer)).toBe(anew)
  })
})

test('what does not belong to a step changes nothing', () => {
  const stray = {
    closed: [
      { type: 'nameTyped', name: 'x' },
      { type: 'memberToggled', steamId: ADA },
      { type: 'urlTyped', url: 'x' },
      { type: 'sent' },
      { type: 'created', opening: 0, group },
    ],
    name: [
      { type: 'memberToggled', steamId: ADA },
      { type: 'urlTyped', url: 'x' },
      { type: 'membersSettled', opening: 1 },
      { type: 'pictureSet', opening: 1 },
      { type: 'pictureFailed', opening: 1, error: 'x' },
    ],
    members: [
      { type: 'nameTyped', name: 'x' },
      { type: 'urlTyped', url: 'x' },
      { type: 'created', opening: 1, group },
      { type: 'createFailed', opening: 1, error: 'x' },
      { type: 'pictureSet', opening: 1 },
      { type: 'pictureFailed', opening: 1, error: 'x' },
    ],
    picture: [
      { type: 'nameTyped', name: 'x' },
      { type: 'memberToggled', steamId: ADA },
      { type: 'created', opening: 1, group },
      { type: 'createFailed', opening: 1, error: 'x' },
      { type: 'membersSettled', opening: 1 },
    ],
  } satisfies Record<Wizard['step'], WizardEvent[]>
  const at = {
    closed: closedWizard,
    name: after({ type: 'opened' }),
    members: after(...toMembers),
    picture: after(...toPicture),
  }
  for (const [step, events] of Object.entries(stray))
    for (const event of events)
      expect(wizardAfter(at[step as Wizard['step']], event)).toBe(at[step as Wizard['step']])
})

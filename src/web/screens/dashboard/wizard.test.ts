import { describe, expect, test } from 'vitest'
import {
  canAddMembers,
  initialWizard,
  pictureToSet,
  type Wizard,
  wizardReducer,
  type WizardAction,
} from './wizard.ts'

const group = { groupId: 7, name: 'Friday' }
const ADA = '76561197960265731'
const BOB = '76561197960265732'

/** The wizard after these actions, starting closed. */
function after(...actions: WizardAction[]): Wizard {
  return actions.reduce(wizardReducer, initialWizard)
}

const toMembers: WizardAction[] = [
  { type: 'opened' },
  { type: 'sent' },
  { type: 'created', opening: 1, group },
]
const toPicture: WizardAction[] = [
  ...toMembers,
  { type: 'memberToggled', steamId: ADA },
  { type: 'sent' },
  { type: 'membersSettled', opening: 1 },
]

describe('members', () => {
  test('WIZ-7: choosing toggles per friend', () => {
    const chosen = (...ids: string[]) =>
      after(...toMembers, ...ids.map((steamId): WizardAction => ({ type: 'memberToggled', steamId })))
    expect(chosen(ADA)).toMatchObject({ chosen: [ADA] })
    expect(chosen(ADA, BOB)).toMatchObject({ chosen: [ADA, BOB] })
    expect(chosen(ADA, BOB, ADA)).toMatchObject({ chosen: [BOB] })
    expect(chosen(ADA, ADA)).toMatchObject({ chosen: [] })
  })

  test('WIZ-7: Add Members needs at least one friend', () => {
    const one: WizardAction = { type: 'memberToggled', steamId: ADA }
    expect(canAddMembers(after(...toMembers))).toBe(false)
    expect(canAddMembers(after(...toMembers, one))).toBe(true)
    expect(canAddMembers(after(...toMembers, one, one))).toBe(false)
  })

  test('WIZ-7: whatever the response, the picture step comes next, for the same group', () => {
    expect(after(...toPicture)).toEqual({ opening: 1, step: 'picture', group, url: '' })
  })
})

describe('picture', () => {
  test.each(['', '   '])('WIZ-11: Set Picture does nothing with the URL "%s"', (url) => {
    expect(pictureToSet(after(...toPicture, { type: 'urlTyped', url }))).toBeUndefined()
  })
})

describe('closing', () => {
  const responses: WizardAction[] = [
    { type: 'created', opening: 1, group },
    { type: 'membersSettled', opening: 1 },
    { type: 'pictureSet', opening: 1 },
    { type: 'pictureFailed', opening: 1, error: 'No.' },
  ]

  test.each(responses)('a response that arrives after closing is ignored: $type', (response) => {
    const closed = after(...toPicture, { type: 'cancelled' })
    expect(wizardReducer(closed, response)).toBe(closed)
  })

  test.each(responses)('a response to an earlier opening is ignored: $type', (response) => {
    const reopened = after({ type: 'opened' }, { type: 'sent' }, { type: 'opened' })
    expect(wizardReducer(reopened, response)).toBe(reopened)
  })
})

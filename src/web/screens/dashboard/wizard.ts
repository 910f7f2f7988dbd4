/**
 * Group creation on the dashboard, three steps: name, members, picture (WIZ-1).
 * Pure: what happened goes in, what to show comes out; `create-group.tsx` makes the calls.
 */
import type { SteamId } from '#shared/entities.ts'

export type NewGroup = { groupId: number; name: string }

export type Wizard = {
  /**
   * Counts openings. An answer carries the number it was asked under, so that one which arrives after the wizard
   * was closed or opened anew is not applied.
   */
  opening: number
} &
  /** `pictureMissing`: there is nothing to show at the picture's URL so far (PIC-12). */
  (
    | { step: 'closed'; pictureUpdated: boolean; pictureMissing?: boolean }
    | { step: 'name'; name: string; error?: string }
    | { step: 'members'; group: NewGroup; chosen: readonly SteamId[] }
    | { step: 'picture'; group: NewGroup; url: string; error?: string }
  )

export type WizardEvent =
  /** The + was pressed. */
  | { type: 'opened' }
  /** Skip, or the cross. */
  | { type: 'cancelled' }
  | { type: 'nameTyped'; name: string }
  | { type: 'memberToggled'; steamId: SteamId }
  | { type: 'urlTyped'; url: string }
  /** A call of the current step has been sent: what went wrong before is over. */
  | { type: 'sent' }
  | { type: 'created'; opening: number; group: NewGroup }
  | { type: 'createFailed'; opening: number; error: string }
  /** Add Members was answered, well or not: its errors are ignored (WIZ-10). */
  | { type: 'membersSettled'; opening: number }
  | { type: 'pictureSet'; opening: number; missing?: boolean }
  | { type: 'pictureFailed'; opening: number; error: string }
  /** Another action has begun on the page (PAGE-18). */
  | { type: 'successSeen' }

export const closedWizard: Wizard = { opening: 0, step: 'closed', pictureUpdated: false }

/** What the wizard shows after an event. Events that do not fit the step, or answer an earlier opening, change nothing. */
export function wizardAfter(wizard: Wizard, event: WizardEvent): Wizard {
  const { opening } = wizard
  if ('opening' in event && event.opening !== opening) return wizard

  switch (event.type) {
    case 'opened':
      return { opening: opening + 1, step: 'name', name: '' }
    case 'cancelled':
      return { opening: opening + 1, step: 'closed', pictureUpdated: false }
    case 'nameTyped':
      return wizard.step === 'name' ? { ...wizard, name: event.name } : wizard
    case 'memberToggled':
      return wizard.step === 'members' ? { ...wizard, chosen: toggled(wizard.chosen, event.steamId) } : wizard
    case 'urlTyped':
      return wizard.step === 'picture' ? { ...wizard, url: event.url } : wizard
    case 'sent':
      return wizard.step === 'closed' ? wizard : withoutError(wizard)
    case 'created':
      return wizard.step === 'name' ? { opening, step: 'members', group: event.group, chosen: [] } : wizard
    case 'createFailed':
      return wizard.step === 'name' ? { ...wizard, error: event.error } : wizard
    case 'membersSettled':
      return wizard.step === 'members' ? { opening, step: 'picture', group: wizard.group, url: '' } : wizard
    case 'pictureSet':
      return wizard.step === 'picture'
        ? { opening: opening + 1, step: 'closed', pictureUpdated: true, pictureMissing: event.missing }
        : wizard
    case 'pictureFailed':
      return wizard.step === 'picture' ? { ...wizard, error: event.error } : wizard
    case 'successSeen':
      return wizard.step === 'closed' && wizard.pictureUpdated ? { ...wizard, pictureUpdated: false } : wizard
  }
}

/** Whether Add Members can be pressed: with at least one friend chosen (WIZ-8). */
export function canAddMembers(wizard: Wizard): boolean {
  return wizard.step === 'members' && wizard.chosen.length > 0
}

/** The address that Set Picture would send; undefined where it does nothing (WIZ-11). */
export function pictureToSet(wizard: Wizard): string | undefined {
  if (wizard.step !== 'picture') return undefined
  return wizard.url.trim() || undefined
}

type OpenWizard = Exclude<Wizard, { step: 'closed' }>

function withoutError(wizard: OpenWizard): OpenWizard {
  return 'error' in wizard ? { ...wizard, error: undefined } : wizard
}

function toggled(chosen: readonly SteamId[], steamId: SteamId): SteamId[] {
  return chosen.includes(steamId) ? chosen.filter((id) => id !== steamId) : [...chosen, steamId]
}

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
  /** `pictureMissing`: there is nothing to show at the picture's address so far (PIC-12). */
  (
    | { step: 'closed'; pictureUpdated: boolean; pictureMissing?: boolean }
    | { step: 'name'; name: string; busy: boolean; error?: string }
    | { step: 'members'; group: NewGroup; chosen: readonly SteamId[]; busy: boolean }
    | { step: 'picture'; group: NewGroup; url: string; busy: boolean; error?: string }
  )

export type WizardEvent =
  /** The + was pressed. */
  | { type: 'opened' }
  /** Skip, or the cross. */
  | { type: 'cancelled' }
  | { type: 'nameTyped'; name: string }
  | { type: 'memberToggled'; steamId: SteamId }
  | { type: 'urlTyped'; url: string }
  /** A call of the current step has been sent. */
  | { type: 'sent' }
  | { type: 'created'; opening: number; group: NewGroup }
  | { type: 'createFailed'; opening: number; error: string }
  /** Add Members was answered, well or not: its errors are ignored (WIZ-10). */
  | { type: 'membersSettled'; opening: number }
  | { type: 'pictureSet'; opening: number; missing?: boolean }
  | { type: 'pictureFailed'; opening: number; error: string }

export const closedWizard: Wizard = { opening: 0, step: 'closed', pictureUpdated: false }

/** What the wizard shows after an event. Events that do not fit the step, or answer an earlier opening, change nothing. */
export function wizardAfter(wizard: Wizard, event: WizardEvent): Wizard {
  const { opening } = wizard
  if ('opening' in event && event.opening !== opening) return wizard

  switch (event.type) {
    case 'opened':
      return { opening: opening + 1, step: 'name', name: '', busy: false }
    case 'cancelled':
      return { opening: opening + 1, step: 'closed', pictureUpdated: false }
    case 'nameTyped':
      return wizard.step === 'name' ? { ...wizard, name: event.name } : wizard
    case 'memberToggled':
      return wizard.step === 'members' ? { ...wizard, chosen: toggled(wizard.chosen, event.steamId) } : wizard
    case 'urlTyped':
      return wizard.step === 'picture' ? { ...wizard, url: event.url } : wizard
    case 'sent':
      return wizard.step === 'closed' ? wizard : { ...withoutError(wizard), busy: true }
    case 'created':
      return wizard.step === 'name'
        ? { opening, step: 'members', group: event.group, chosen: [], busy: false }
        : wizard
    case 'createFailed':
      return wizard.step === 'name' ? { ...wizard, busy: false, error: event.error } : wizard
    case 'membersSettled':
      return wizard.step === 'members'
        ? { opening, step: 'picture', group: wizard.group, url: '', busy: false }
        : wizard
    case 'pictureSet':
      return wizard.step === 'picture'
        ? { opening: opening + 1, step: 'closed', pictureUpdated: true, pictureMissing: event.missing }
        : wizard
    case 'pictureFailed':
      return wizard.step === 'picture' ? { ...wizard, busy: false, error: event.error } : wizard
  }
}

/** Whether Add Members can be pressed: with at least one friend chosen, and not while it runs (WIZ-8). */
export function canAddMembers(wizard: Wizard): boolean {
  return wizard.step === 'members' && wizard.chosen.length > 0 && !wizard.busy
}

/** The address that Set Picture would send; undefined where it does nothing (WIZ-11). */
export function pictureToSet(wizard: Wizard): string | undefined {
  if (wizard.step !== 'picture' || wizard.busy) return undefined
  return wizard.url.trim() || undefined
}

type OpenWizard = Exclude<Wizard, { step: 'closed' }>

function withoutError(wizard: OpenWizard): OpenWizard {
  return 'error' in wizard ? { ...wizard, error: undefined } : wizard
}

function toggled(chosen: readonly SteamId[], steamId: SteamId): SteamId[] {
  return chosen.includes(steamId) ? chosen.filter((id) => id !== steamId) : [...chosen, steamId]
}

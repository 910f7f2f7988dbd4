/**
 * The state of the group creation wizard on the dashboard (WIZ-1), as a pure reducer; `create-group.tsx` sends the
 * requests.
 * Requirements: WIZ-5, WIZ-7, WIZ-11, WIZ-13.
 */
import type { SteamId } from '#shared/entities.ts'
import type { NewGroup } from '../../layout/new-group-form.tsx'

export type Wizard = {
  /**
   * Counts openings. Actions of a response carry the number of the opening that sent the request, so that a response
   * which arrives after the wizard was closed or opened again is ignored.
   */
  opening: number
} & (
  | { step: 'closed'; pictureUpdated: boolean }
  | { step: 'name' }
  | { step: 'members'; group: NewGroup; chosen: readonly SteamId[] }
  | { step: 'picture'; group: NewGroup; url: string; error?: string }
)

export type WizardAction =
  /** The + button. */
  | { type: 'opened' }
  /** Skip or the cross. */
  | { type: 'cancelled' }
  | { type: 'memberToggled'; steamId: SteamId }
  | { type: 'urlTyped'; url: string }
  /** The current step sent its request, which clears an earlier error. */
  | { type: 'sent' }
  | { type: 'created'; opening: number; group: NewGroup }
  /** Add Members succeeded or failed; its errors are ignored (WIZ-7). */
  | { type: 'membersSettled'; opening: number }
  | { type: 'pictureSet'; opening: number }
  | { type: 'pictureFailed'; opening: number; error: string }
  /** Another action began on the page (PAGE-18). */
  | { type: 'successDismissed' }

export const initialWizard: Wizard = { opening: 0, step: 'closed', pictureUpdated: false }

/** Actions that do not fit the step, or belong to an earlier opening, change nothing. */
export function wizardReducer(wizard: Wizard, action: WizardAction): Wizard {
  const { opening } = wizard
  if ('opening' in action && action.opening !== opening) return wizard

  switch (action.type) {
    case 'opened':
      return { opening: opening + 1, step: 'name' }
    case 'cancelled':
      return { opening: opening + 1, step: 'closed', pictureUpdated: false }
    case 'memberToggled':
      return wizard.step === 'members'
        ? { ...wizard, chosen: toggled(wizard.chosen, action.steamId) }
        : wizard
    case 'urlTyped':
      return wizard.step === 'picture' ? { ...wizard, url: action.url } : wizard
    case 'sent':
      return wizard.step === 'closed' ? wizard : withoutError(wizard)
    case 'created':
      return wizard.step === 'name' ? { opening, step: 'members', group: action.group, chosen: [] } : wizard
    case 'membersSettled':
      return wizard.step === 'members' ? { opening, step: 'picture', group: wizard.group, url: '' } : wizard
    case 'pictureSet':
      return wizard.step === 'picture'
        ? { opening: opening + 1, step: 'closed', pictureUpdated: true }
        : wizard
    case 'pictureFailed':
      return wizard.step === 'picture' ? { ...wizard, error: action.error } : wizard
    case 'successDismissed':
      return wizard.step === 'closed' && wizard.pictureUpdated ? { ...wizard, pictureUpdated: false } : wizard
  }
}

/** Whether Add Members is enabled: at least one friend is chosen (WIZ-7). */
export function canAddMembers(wizard: Wizard): boolean {
  return wizard.step === 'members' && wizard.chosen.length > 0
}

/** The URL that Set Picture would send; undefined if it does nothing (WIZ-11). */
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

/** Who may sign in, as an operator sets it. */
import { operatorContract, type WhoSignsIn } from '#shared/contract/operator.ts'
import type { TestPlayer } from './product.ts'

/** Replaces the rule. */
export function setSignInRule(
  operator: TestPlayer,
  rule: { who: WhoSignsIn; steam_ids?: string[]; reason?: string },
) {
  return operator.call(operatorContract.setSignInRule, {}, { steam_ids: [], reason: 'as agreed', ...rule })
}

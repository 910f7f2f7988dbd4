/** What the number of games that were found does not say (LIST-3, LIST-4). */
import { gameList as text } from '../messages/lists.ts'
import type { Found } from './game-view.ts'

export function notesOn({ unknownModes, leftOut, unknownKinds }: Found<unknown>): string[] {
  return [
    ...(unknownModes.length > 0 ? [text.unknownModesBelow(unknownModes.length)] : []),
    ...(Object.keys(leftOut).length > 0 ? [text.leftOut(leftOut)] : []),
    ...(unknownKinds > 0 ? [text.unknownKinds(unknownKinds)] : []),
  ]
}

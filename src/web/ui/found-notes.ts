/** What the number of games that were found does not say (LIST-3, LIST-4, LIST-10). */
import { gameList as text } from '../messages/lists.ts'
import type { Found } from './game-view.ts'

/** @param people how many want to play, where that counts */
export function notesOn(
  { unknownModes, tooSmall, leftOut, unknownKinds }: Found<unknown>,
  people = 0,
): string[] {
  return [
    ...(unknownModes.length > 0 ? [text.unknownModesBelow(unknownModes.length)] : []),
    ...(tooSmall.length > 0 ? [text.tooSmallBelow(tooSmall.length, people)] : []),
    ...(Object.keys(leftOut).length > 0 ? [text.leftOut(leftOut)] : []),
    ...(unknownKinds > 0 ? [text.unknownKinds(unknownKinds)] : []),
  ]
}

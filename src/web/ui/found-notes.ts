/** What the number of games that were found does not say (LIST-3, LIST-4, LIST-10). */
import { gameList as text } from '../more-messages.ts'
import type { Found } from './game-view.ts'
import { formatList } from '../format.ts'

/** @param people how many want to play, where that counts */
export function notesOn(
  { unknownModes, tooSmall, leftOut, unknownKinds }: Found<unknown>,
  people = 0,
): string[] {
  return [
    ...(unknownModes.length > 0 ? [text.unknownModesBelow({ games: unknownModes.length })] : []),
    ...(tooSmall.length > 0 ? [text.tooSmallBelow({ games: tooSmall.length, people })] : []),
    ...(Object.keys(leftOut).length > 0 ? [text.leftOut({ kinds: kindsText(leftOut) })] : []),
    ...(unknownKinds > 0 ? [text.unknownKinds({ games: unknownKinds })] : []),
  ]
}

function kindsText(leftOut: Found<unknown>['leftOut']): string {
  const kinds = Object.keys(text.kindCounts) as (keyof typeof text.kindCounts)[]
  const parts = kinds.flatMap((kind) =>
    leftOut[kind] ? [text.kindCounts[kind]({ apps: leftOut[kind] })] : [],
  )
  return formatList(parts, 'unit')
}

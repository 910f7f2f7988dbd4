import type { pickToPaste as english } from '../en/pick-text.ts'
import type { Translated } from '#shared/texts/types.ts'

export const pickToPaste: Translated<typeof english> = {
  label: 'Für euren Chat',
  copy: 'Text kopieren',
  copyForDiscord: 'Für Discord kopieren',
  planned: { alone: '{when} ({zone}): {game}', with: '{when} ({zone}): {game} mit {names}' },
  now: { alone: 'Wir spielen {game}', with: 'Wir spielen {game} mit {names}' },
  discord: { alone: '{when}: {game}', with: '{when}: {game} mit {names}' },
  lacking: 'fehlt noch {names}',
  more: '{count, plural, one {1 weiteren Person} other {# weiteren}}',
}

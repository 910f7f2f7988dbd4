import type { Translated } from '#shared/texts/types.ts'
import type { notifications as english } from '../en/notifications.ts'

export const notifications: Translated<typeof english> = {
  night: 'Spieleabend',
  askedBy: '{name} fragt, ob du dabei bist: {when}',
  askedByNow: '{name} fragt, ob du jetzt mitspielst.',
  asked: 'Bist du dabei? {when}',
  askedNow: 'Spielst du jetzt mit?',
  moved: 'Neue Zeit: {when}',
  movedNow: 'Es geht jetzt los.',
  cancelled: 'Der Spieleabend wurde abgesagt. Geplant war {when}.',
  vote: 'Die Abstimmung läuft, und du hast noch nicht abgestimmt.',
  picked: 'Gespielt wird {game}.',
  starting: '{minutes, plural, one {In 1 Minute geht es los.} other {In # Minuten geht es los.}}',
  startingWith:
    '{minutes, plural, one {In 1 Minute geht es los: {game}} other {In # Minuten geht es los: {game}}}',
  discreet: {
    asked: 'Du wirst zu einem Spieleabend gefragt.',
    moved: 'Ein Spieleabend wurde verschoben.',
    cancelled: 'Ein Spieleabend wurde abgesagt.',
    vote: 'Eine Abstimmung läuft, und du hast noch nicht abgestimmt.',
    picked: 'Ein Spiel wurde gewählt.',
    starting:
      '{minutes, plural, one {Ein Spieleabend beginnt in 1 Minute.} other {Ein Spieleabend beginnt in # Minuten.}}',
  },
}

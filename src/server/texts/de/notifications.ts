import type { Translated } from '#shared/texts/types.ts'
import type { notifications as english } from '../en/notifications.ts'

export const notifications: Translated<typeof english> = {
  night: 'Spieleabend',
  askedBy: '{name} fragt, ob du dabei bist: {when}',
  askedByNow: '{name} fragt, ob du jetzt mitspielst.',
  asked: 'Bist du dabei? {when}',
  askedNow: 'Spielst du jetzt mit?',
  askedWhenBy: '{name} fragt, wann du spielen kannst.',
  askedWhen: 'Wann kannst du spielen?',
  moved: 'Neue Zeit: {when}',
  movedNow: 'Es geht jetzt los.',
  dated: 'Der Termin steht fest: {when}',
  cancelled: 'Der Spieleabend wurde abgesagt. Geplant war {when}.',
  cancelledUnplanned: 'Der Spieleabend wurde abgesagt.',
  vote: 'Die Abstimmung läuft, und du hast noch nicht abgestimmt.',
  picked: 'Gespielt wird {game}.',
  upcoming: 'Bald geht es los: {when}',
  upcomingWith: 'Gespielt wird {game}: {when}',
  upcomingUnanswered: 'Bist du dabei? Du hast noch nicht geantwortet: {when}',
  starting: '{minutes, plural, one {In 1 Minute geht es los.} other {In # Minuten geht es los.}}',
  startingWith:
    '{minutes, plural, one {In 1 Minute geht es los: {game}} other {In # Minuten geht es los: {game}}}',
  startingUnanswered:
    '{minutes, plural, one {Bist du dabei? In 1 Minute geht es los, und du hast noch nicht geantwortet.} other {Bist du dabei? In # Minuten geht es los, und du hast noch nicht geantwortet.}}',
  discreet: {
    asked: 'Du bist zu einem Spieleabend eingeladen.',
    moved: 'Ein Spieleabend wurde verschoben.',
    dated: 'Der Termin für einen Spieleabend steht fest.',
    cancelled: 'Ein Spieleabend wurde abgesagt.',
    vote: 'Eine Abstimmung läuft, und du hast noch nicht abgestimmt.',
    picked: 'Ein Spiel wurde gewählt.',
    upcoming: 'Bald steht ein Spieleabend an: {when}',
    upcomingUnanswered: 'Bist du dabei? Deine Antwort für einen Spieleabend fehlt noch: {when}',
    starting:
      '{minutes, plural, one {Ein Spieleabend beginnt in 1 Minute.} other {Ein Spieleabend beginnt in # Minuten.}}',
    startingUnanswered:
      '{minutes, plural, one {Bist du dabei? Ein Spieleabend beginnt in 1 Minute, und du hast noch nicht geantwortet.} other {Bist du dabei? Ein Spieleabend beginnt in # Minuten, und du hast noch nicht geantwortet.}}',
  },
}

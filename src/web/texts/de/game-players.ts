import type { gameMarks as englishMarks, gamePlayers as english } from '../en/game-players.ts'
import type { Translated } from '#shared/texts/types.ts'

export const gameMarks: Translated<typeof englishMarks> = {
  elsewhere: 'Ich habe es anderswo',
  places: {
    none: 'Nein',
    epic: 'Epic',
    gog: 'GOG',
    game_pass: 'Game Pass',
    family: 'Steam Families',
    other: 'woanders',
  },
  elsewhereAbout: 'In Gruppen und an Spieleabenden zählst du dann mit, und dort steht, wo du es hast.',
  elsewhereFailed: 'Wo du es hast, konnte nicht gespeichert werden.',
  says: 'Anderswo: {people}',
  at: '{name} ({place})',
  open: 'Mehr zu {game}',
}

export const gamePlayers: Translated<typeof english> = {
  title: 'Wie viele können spielen?',
  failed: 'Wie viele spielen können, konnte nicht geladen werden.',
  listed:
    '{online, select, none {Nicht über das Internet} any {Beliebig viele über das Internet} other {Bis zu {onlinePeople} über das Internet}}, {screen, select, none {nicht an einem Bildschirm} any {beliebig viele an einem Bildschirm} unknown {an einem Bildschirm nicht geprüft} other {bis zu {screenPeople} an einem Bildschirm}} (Stand: {year}).',
  notListed: 'Shelfmates weiß nicht, wie viele dieses Spiel spielen können.',
  corrected: { any: 'In dieser Gruppe: beliebig viele.', upTo: 'In dieser Gruppe: bis zu {people}.' },
  by: 'Korrigiert von {person}, {time}',
  byFormer: 'Korrigiert von einem ehemaligen Mitglied, {time}',
  label: 'So viele können höchstens zusammen spielen',
  hint: 'Gilt für diese Gruppe und ihre Spieleabende. Jedes Mitglied, das beigetreten ist, kann es ändern.',
  invalid: 'Eine ganze Zahl von 1 bis {max}.',
  save: 'Speichern',
  saving: 'Wird gespeichert …',
  saved: 'Für diese Gruppe gespeichert.',
  takeBack: 'Zurücknehmen',
  takenBack: 'Zurückgenommen.',
  saveFailed: 'Die Angabe konnte nicht gespeichert werden.',
}

/** Texts around the screens, in German. */
import type * as english from '../en/frame.ts'
import type { Translated } from '#shared/texts/types.ts'

export const navigation: Translated<typeof english.navigation> = {
  dashboard: 'Übersicht',
  myGames: 'Meine Spiele',
  shelf: 'Mein Regal',
  friends: 'Freunde',
  groups: 'Gruppen',
  friendsGames: 'Spiele eines Freundes',
  gameComparison: 'Spielevergleich',
  account: 'Konto',
  operator: 'Betreiber',
  privacy: 'Datenschutz',
  open: 'Navigation öffnen',
  close: 'Navigation schließen',
  skip: 'Zum Inhalt springen',
  find: 'Suchen',
  controlKey: 'Strg',
  findFailed: 'Die Suche konnte nicht geladen werden. Bitte versuche es noch einmal.',
  logOut: 'Abmelden',
  defaultName: 'Spieler',
  poweredBySteam: 'Mit Daten von Steam',
  demo: 'Demo',
  demoHint: 'Spieler und Spiele sind erfunden.',
  publicDemo:
    'Das ist eine öffentliche Demo: Alle sehen, was du hier schreibst und hochlädst, und alles wird regelmäßig gelöscht.',
  nextReset: 'Nächstes Zurücksetzen um {time} Uhr.',
  invitations: '{count, plural, one {1 offene Einladung} other {# offene Einladungen}}',
  answersWaiting:
    '{count, plural, one {1 Abend wartet auf deine Antwort} other {# Abende warten auf deine Antwort}}',
}

export const language: Translated<typeof english.language> = { title: 'Sprache', browser: 'Wie im Browser' }

export const theme: Translated<typeof english.theme> = {
  title: 'Darstellung',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
}

export const login: Translated<typeof english.login> = {
  title: 'Anmelden',
  lead: 'Sieh, was ihr heute Abend alle zusammen spielen könnt.',
  about:
    'Vergleiche deine Steam-Bibliothek mit denen deiner Freunde und finde die Spiele, die eure ganze Gruppe besitzt.',
  signedInAs: 'Du bist als {name} angemeldet.',
  button: 'Mit Steam anmelden',
  opening: 'Steam wird geöffnet …',
  note: 'Sichere Anmeldung direkt bei Steam. Shelfmates sieht und speichert dein Passwort nie.',
  signingIn: 'Du wirst angemeldet …',
  wanted: 'Melde dich an, um zur gewünschten Seite zu kommen.',
  signedOut: {
    deleted: 'Dein Konto wurde mit allem, was dazugehört, gelöscht.',
    everywhere: 'Du wurdest auf allen Geräten abgemeldet.',
    ended: 'Deine Sitzung ist abgelaufen. Melde dich noch einmal an.',
    elsewhere: 'Du wurdest in einem anderen Tab abgemeldet.',
    reset: 'Die Demo wurde zurückgesetzt. Melde dich an, um neu zu beginnen.',
  },
}

export const notFound: Translated<typeof english.notFound> = {
  code: '404',
  title: 'Seite nicht gefunden',
  hint: 'Vielleicht ist der Link kaputt, oder die Adresse enthält einen Tippfehler.',
  back: 'Zur Übersicht',
}

export const crash: Translated<typeof english.crash> = {
  title: 'Dieser Teil der Seite ist abgestürzt.',
  hint: 'Der Rest funktioniert weiter.',
}

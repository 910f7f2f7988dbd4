import type { Translated } from '#shared/texts/types.ts'
import type { manifest as englishManifest, offline as englishOffline, pages as english } from '../en/pages.ts'

export const pages: Translated<typeof english> = {
  description:
    'Dein Spieleregal neben denen deiner Freunde: Vergleicht eure Bibliotheken und seht, was ihr heute Abend alle spielen könnt.',
  slow: 'Shelfmates braucht lange zum Laden.',
  tryAgain: 'Noch einmal versuchen',
  noScript: 'Shelfmates braucht JavaScript, um deine Spiele zu zeigen.',
}

export const offline: Translated<typeof englishOffline> = {
  title: 'Offline · Shelfmates',
  heading: 'Shelfmates ist nicht erreichbar',
  text: 'Du bist offline, oder der Server antwortet nicht. Diese Seite versucht es von selbst noch einmal.',
  known: 'Was sicher ist',
  signedIn: 'Wenn du angemeldet warst, bist du es noch, und nichts, was du gespeichert hast, ist verloren.',
  openPages: 'Seiten, die in anderen Tabs oder Fenstern offen sind, zeigen weiter, was sie gezeigt haben.',
  unknown: 'Was fehlt',
  yours:
    'Deine Spiele, Freunde, Gruppen und Spieleabende. Sie liegen nur auf dem Server, damit niemand sonst sie auf diesem Gerät sieht.',
  tryAgain: 'Noch einmal versuchen',
}

export const manifest: Translated<typeof englishManifest> = {
  description: 'Dein Spieleregal neben denen deiner Freunde: Seht, was ihr heute Abend alle spielen könnt.',
  start: 'Spieleabend starten',
  night: 'Spieleabend',
  groups: 'Gruppen',
}

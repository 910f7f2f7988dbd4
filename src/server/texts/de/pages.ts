import type { Translated } from '#shared/texts/types.ts'
import type { pages as english } from '../en/pages.ts'

export const pages: Translated<typeof english> = {
  description:
    'Dein Spieleregal neben denen deiner Freunde: Vergleicht eure Bibliotheken und seht, was ihr heute Abend alle spielen könnt.',
  slow: 'Shelfmates lädt ungewöhnlich lange.',
  tryAgain: 'Noch einmal versuchen',
  noScript: 'Shelfmates braucht JavaScript, um deine Spiele zu zeigen.',

  offlineTitle: 'Offline · Shelfmates',
  unreachable: 'Shelfmates ist nicht erreichbar',
  offline:
    'Du bist offline, oder der Server antwortet nicht. Diese Seite versucht es von selbst noch einmal.',
  known: 'Was sicher ist',
  signedIn: 'Wenn du angemeldet warst, bist du es noch, und nichts, was du gespeichert hast, ist verloren.',
  openPages: 'Seiten, die in anderen Tabs oder Fenstern offen sind, zeigen weiter, was sie gezeigt haben.',
  unknown: 'Was fehlt',
  yours:
    'Deine Spiele, Freunde, Gruppen und Spieleabende. Sie liegen nur auf dem Server, damit niemand sonst sie auf diesem Gerät sieht.',

  appDescription:
    'Dein Spieleregal neben denen deiner Freunde: Seht, was ihr heute Abend alle spielen könnt.',
  startNight: 'Spieleabend starten',
  night: 'Spieleabend',
  groups: 'Gruppen',
}

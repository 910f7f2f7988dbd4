import type { gamePage as english, gamePrice as englishPrice } from '../en/game.ts'
import type { Translated } from '#shared/texts/types.ts'

export const gamePage: Translated<typeof english> = {
  untitled: 'Spiel',
  failed: 'Dieses Spiel konnte nicht geladen werden.',
  free: 'Kostenlos spielbar',
  howPlayed: 'Spielmodi',
  mine: 'Deine Spielzeit',
  total: 'Insgesamt',
  recent: 'Letzte zwei Wochen',
  lastPlayed: 'Zuletzt gespielt',
  neverPlayed: 'Nie',
  lastUnknown: 'Unbekannt',
  notMine: 'Nicht in deiner Bibliothek',
  launch: 'Starten',
  install: 'Installieren',
  store: 'Shopseite',
  inSteam: '(öffnet Steam)',
  inNewTab: '(öffnet den Steam-Shop in neuem Tab)',
  friendsWhoPlay: 'Wer es hat',
  friends: 'Freunde',
  playingNow: 'Gerade im Spiel',
  plays: 'Spielen es',
  owns: 'Besitzen es, nie gespielt',
  hoursUnknown: 'Stunden unbekannt',
  nobody: 'Keiner deiner Freunde hat es.',
  nobodyKnown: 'Noch ist von keinem Freund die Bibliothek bekannt.',
  uncounted:
    '{friends, plural, one {Die Bibliothek von 1 Freund ist nicht bekannt und hier nicht mitgezählt.} other {Die Bibliotheken von # Freunden sind nicht bekannt und hier nicht mitgezählt.}}',
  groups: 'Gruppen, in denen es alle besitzen',
  noGroups: 'In keiner deiner Gruppen besitzen es alle.',
  counted:
    '{members, plural, one {{counted} von 1 Bibliothek mitgezählt} other {{counted} von # Bibliotheken mitgezählt}}',
  moreGroups: 'Ältere Gruppen wurden nicht geprüft.',
  unknown: {
    title: 'Unbekanntes Spiel',
    text: 'Dieses Spiel hatte hier noch niemand, deshalb gibt es nichts zu sehen. Vielleicht ist der Link alt oder vertippt.',
    toMyGames: 'Zu „Meine Spiele“',
  },
}

/** What a game costs. */
export const gamePrice: Translated<typeof englishPrice> = {
  times: '{people, number} × {price}',
  sale: '{price}, {percent} günstiger',
  saleUntil: '{price}, {percent} günstiger bis {day}',
  source: 'Shop in {country}, {time} gelesen.',
}

import type {
  comparisonSorts as englishComparisonSorts,
  gameList as english,
  groupSorts as englishGroupSorts,
} from '../en/lists.ts'
import type { Translated } from '#shared/texts/types.ts'

export const gameList: Translated<typeof english> = {
  searchPlaceholder: '{label}\u00A0…',
  searchHint:
    'Durchsucht {games, plural, one {1 Spiel} other {alle # Spiele}}. Die Suche deines Browsers (Strg+F) findet nur, was gerade auf dem Bildschirm ist.',
  modes: {
    any: 'Alle Modi',
    online_coop: 'Online-Koop',
    online_versus: 'Online-PvP',
    same_screen: 'Ein Bildschirm',
    remote_play: 'Remote Play Together',
    cross_platform: 'Crossplay',
    multi: 'Mehrspieler',
    coop: 'Koop',
    online: 'Online',
    mmo: 'MMO',
    single: 'Einzelspieler',
  },
  actions: 'Aktionen für {game}',
  filters: 'Filter',
  activeFilters: 'Filter ({active})',
  gamesOnly: 'Nur Spiele',
  owned: 'Hast du auch',
  ownedUnknown: 'Deine eigenen Spiele sind noch nicht bekannt.',
  layout: 'Ansicht',
  layouts: { tiles: 'Kacheln', list: 'Liste' },
  kinds: {
    mod: 'Mod',
    demo: 'Demo',
    beta: 'Playtest',
    dlc: 'DLC',
    tool: 'Tool',
    software: 'Software',
    video: 'Video',
    other: 'Kein Spiel',
  },
  unknownKind: 'Art unbekannt',
  leftOut: 'ohne {kinds}',
  kindCounts: {
    demo: '{apps, plural, one {1 Demo} other {# Demos}}',
    dlc: '{apps, plural, one {1 DLC} other {# DLCs}}',
    tool: '{apps, plural, one {1 Tool} other {# Tools}}',
    software: '{apps, plural, one {1 Programm} other {# Programme}}',
    video: '{apps, plural, one {1 Video} other {# Videos}}',
    other: '{apps, plural, one {1 andere App} other {# andere Apps}}',
  },
  unknownKinds:
    '{games, plural, one {1 von unbekannter Art bleibt dabei} other {# von unbekannter Art bleiben dabei}}',
  playersHint: 'Wie viele zusammen spielen können',
  change: 'Ich habe es anderswo, und wie viele mitspielen können',
  fits: 'Passt für {people}',
  tooSmallBelow:
    '{games, plural, one {1 Spiel für weniger als {people} steht weiter unten} other {# Spiele für weniger als {people} stehen weiter unten}}',
  tooSmall: 'Für weniger als {people}',
  tooSmallHint: 'Diese Spiele sind nicht für so viele gemacht.',
  unknownModes: 'Modi unbekannt',
  unknownModesBelow:
    '{games, plural, one {1 Spiel mit unbekannten Modi steht weiter unten} other {# Spiele mit unbekannten Modi stehen weiter unten}}',
  unknownModesHint: 'Der Shop hat noch nicht verraten, wie man sie spielt.',
}

export const comparisonSorts: Translated<typeof englishComparisonSorts> = {
  least: 'Am wenigsten gespielt',
}

export const groupSorts: Translated<typeof englishGroupSorts> = { least: 'Am wenigsten gespielt' }

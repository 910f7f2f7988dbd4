/** Texts that several screens share, and all that the first load shows, in German. */
import type { messages as english } from '../en/messages.ts'
import { groups, invitation } from './groups.ts'
import {
  comparisonInFirst,
  groupInFirst,
  libraryInFirst,
  friendsInFirst,
  myGamesInFirst,
} from './in-first.ts'
import type { Translated } from '#shared/texts/types.ts'
import { dashboard, wizard } from './dashboard.ts'
import { crash, language, login, navigation, notFound, theme } from './frame.ts'
import { gameView } from './games.ts'

export const messages: Translated<typeof english> = {
  product: 'Shelfmates',
  loading: 'Wird geladen …',
  networkError: 'Netzwerkfehler.',
  offline: 'Du bist offline. Das hier ist vielleicht nicht mehr aktuell.',
  clockAhead: 'Die Uhr dieses Geräts geht {by} vor. Die Zeiten hier richten sich nach der Uhr des Servers.',
  clockBehind: 'Die Uhr dieses Geräts geht {by} nach. Die Zeiten hier richten sich nach der Uhr des Servers.',
  updated: 'Shelfmates wurde aktualisiert.',
  reload: 'Neu laden',
  foreign: 'Etwas vor Shelfmates hat statt ihm geantwortet. Lade die Seite neu.',
  codeMissing:
    'Diese Seite konnte nicht geladen werden. Sie wird geladen, sobald der Server wieder erreichbar ist.',
  tryAgain: 'Noch einmal versuchen',
  justNow: 'gerade eben',
  playtime: '{hours}\u00A0h {minutes}\u00A0min',
  close: 'Schließen',
  somethingWrong: 'Etwas ist schiefgegangen.',
  saveFailed: 'Deine Änderung konnte nicht gespeichert werden.',
  andMore: 'und {count} weitere',

  field: {
    tooLong: 'Höchstens {max} Zeichen.',
    count: '{count} von {max} Zeichen',
  },

  picture: {
    label: 'Bild (optional)',
    choose: 'Bild auswählen',
    chooseAnother: 'Anderes Bild auswählen',
    hint: 'PNG, JPEG, WebP oder GIF, höchstens 5\u00A0MB',
    wrongKind: 'Dieses Bildformat wird nicht unterstützt. Bitte wähle ein PNG, JPEG, WebP oder GIF.',
    tooLarge: 'Das Bild ist größer als 5\u00A0MB. Bitte wähle ein kleineres.',
    clear: 'Bild entfernen',
    preview: 'Vorschau des ausgewählten Bildes',
  },

  sync: {
    busy: 'Wird synchronisiert …',
    left: 'Heute noch {left}/{limit} Syncs',
    noneLeft: 'Heute nicht mehr möglich.',
    nextFree: 'Heute nicht mehr möglich. Wieder um {time} Uhr.',
    nextFreeTomorrow: 'Heute nicht mehr möglich. Wieder morgen um {time} Uhr.',
    progress: '{total, plural, one {{synced} von 1 Bibliothek} other {{synced} von # Bibliotheken}}',
    progressTitle: 'Die Bibliotheken deiner Freunde werden synchronisiert',
    synced: '{time} synchronisiert',
    neverSynced: 'noch nicht synchronisiert',
  },

  navigation,
  theme,
  language,
  login,
  dashboard,
  wizard,
  myGames: myGamesInFirst,
  gameView,
  library: libraryInFirst,
  friends: friendsInFirst,
  comparison: comparisonInFirst,
  groups,
  invitation,
  group: groupInFirst,
  privacy: { title: 'Datenschutz' },
  notFound,
  crash,
}

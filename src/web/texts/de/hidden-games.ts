import type { hiddenGames as english } from '../en/hidden-games.ts'
import type { Translated } from '#shared/texts/types.ts'

export const hiddenGames: Translated<typeof english> = {
  mark: 'nur du siehst es',
  hide: 'Vor allen anderen verbergen',
  hideName: '{game} vor allen anderen verbergen',
  show: 'Wieder zeigen',
  showName: '{game} anderen wieder zeigen',
  about: 'Wenn du es verbirgst, siehst nur du, dass du es besitzt; in Gruppen zählt es nur für dich.',
  isHidden: 'Verborgen: Nur du siehst, dass du es besitzt; in Gruppen zählt es nur für dich.',
  wasHidden: '{game} ist verborgen. Nur du siehst, dass du es besitzt; in Gruppen zählt es nur für dich.',
  wasShown: '{game} ist für andere wieder sichtbar.',
  hideFailed: '{game} konnte nicht verborgen werden.',
  showFailed: '{game} konnte nicht wieder sichtbar gemacht werden.',
  undo: 'Rückgängig',
  dismiss: 'Schließen',
  title: 'Spiele, die ich verberge',
  hint: 'Nur du siehst, dass du diese Spiele besitzt oder spielst; in Gruppen zählen sie nur für dich.',
  count: '{games, plural, one {Du verbirgst 1 Spiel.} other {Du verbirgst # Spiele.}}',
  list: 'Verborgene Spiele',
  none: 'Du verbirgst keine Spiele.',
  noneHint: 'Um eines zu verbergen, drück unter „Meine Spiele“ auf das durchgestrichene Auge daneben.',
  toGames: 'Zu „Meine Spiele“',
  unknown: 'App {appid}',
}

import type { privateHelp as english } from '../en/private-help.ts'
import type { Translated } from '../types.ts'

export const privateHelp: Translated<typeof english> = {
  copy: 'Nachricht für {name} kopieren',
  copyAgain: 'Nachricht kopieren',
  message:
    'Hi {name}! Ich würde gern sehen, was wir alle zusammen spielen können, aber deine Spieldetails sind auf Steam privat, deshalb zählen deine Spiele noch nicht mit. Öffne {settings} und stell die „Spieldetails“ auf „Öffentlich“. Melde dich dann auf {here} an und drück unter „Meine Spiele“ auf „Spiele synchronisieren“. Danke!',
}

/** Texts keyed by library status, in German. */
import type { library as english } from '../en/library.ts'
import type { Translated } from '#shared/texts/types.ts'
import { libraryInFirst } from './in-first.ts'

export const library: Translated<typeof english> = {
  ...libraryInFirst,
  label: {
    ok: 'Bibliothek synchronisiert',
    private: 'Spieldetails privat',
    never: 'Bibliothek noch nicht synchronisiert',
    hidden: 'Bibliothek verborgen',
  },
  member: {
    private: 'Spieldetails privat',
    never: 'noch nicht synchronisiert',
    hidden: 'Bibliothek verborgen',
    unseen: 'Bibliothek verborgen, bis du beitrittst',
  },
  mine: {
    private: 'Deine Spieldetails sind privat',
    never: 'Deine Bibliothek ist noch nicht synchronisiert',
    hidden: 'Deine Bibliothek ist verborgen, deshalb zählen deine Spiele nur für dich',
  },
  emptyShelf: {
    ok: 'Die Steam-Bibliothek ist leer.',
    private:
      'Die Spieldetails sind auf Steam privat. Dein Freund kann in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Spieldetails“ auf „Öffentlich“ stellen. Drück dann auf „Spiele synchronisieren“.',
    never:
      'Die Bibliothek wurde noch nicht synchronisiert. Drück oben auf „Spiele synchronisieren“, um das nachzuholen.',
    hidden: 'Die Bibliothek ist verborgen. Dein Freund kann sie auf seiner Kontoseite freigeben.',
  },
  unavailable: {
    private: '{friends, number} auf Steam privat',
    never: '{friends, number} noch nicht synchronisiert',
    hidden: '{friends, number} verborgen',
  },
  remedy: {
    private:
      'Um sie freizugeben, in Steam unter Profil > Profil bearbeiten > Privatsphäre-Einstellungen die „Spieldetails“ auf „Öffentlich“ stellen. Danach auf „Spiele synchronisieren“ drücken.',
    never: 'Drück auf „Spiele synchronisieren“, um sie zu holen.',
    hidden: 'Verborgene Bibliotheken lassen sich auf der eigenen Kontoseite wieder freigeben.',
    unjoined: 'Ihre Spiele zählen mit, sobald sie beitreten und ihre Bibliothek freigeben.',
    unseen: 'Tritt der Gruppe bei, damit die Spiele der Mitglieder mitzählen, die ihre Bibliothek freigeben.',
  },
}

import type { groups as english, invitation as englishInvitation } from '../en/groups.ts'
import type { Translated } from '#shared/texts/types.ts'

export const groups: Translated<typeof english> = {
  title: 'Gruppen',
  lead: 'Sieh, welche Spiele alle in einer Gruppe besitzen.',
  list: 'Meine Gruppen',
  members: '{count, plural, one {1 Mitglied} other {# Mitglieder}}',
  inCommon: '{games, number} gemeinsam',
  view: 'Gruppe ansehen',
  create: 'Gruppe erstellen',
  toForm: 'Neue Gruppe',
  creating: 'Wird erstellt …',
  alone: 'Am Anfang bist du darin allein. Auf ihrer Seite fügst du Freunde hinzu oder lädst per Link ein.',
  name: 'Gruppenname',
  namePlaceholder: 'Freitagabend',
  nameRequired: 'Gib der Gruppe einen Namen.',
  createFailed: 'Die Gruppe konnte nicht erstellt werden.',
  notAnImage: 'Bitte wähle eine Bilddatei aus.',
  sort: { size: 'Nach Größe', newest: 'Neueste zuerst', oldest: 'Älteste zuerst', alpha: 'A–Z' },
  empty: 'Du bist noch in keiner Gruppe. Erstelle eine und füge dann deine Freunde hinzu.',
  failed: 'Die Gruppen konnten nicht geladen werden.',
  left: {
    title: 'Gruppen, die du verlassen hast',
    hint: 'Die Mitglieder können dich nicht wieder hinzufügen, aber du kannst zurückkommen.',
    comeBack: 'Zurückkommen',
    comingBack: 'Einen Moment …',
    comeBackFailed: 'Das Zurückkommen hat nicht geklappt.',
    back: 'Du bist zurück in {group}',
    gone: 'Die Gruppe wurde gelöscht, oder ihr Besitzer lässt dich nicht zurückkommen.',
  },
  createdWithoutPicture:
    'Deine Gruppe wurde erstellt, aber das Bild konnte nicht hochgeladen werden: {reason} Wähle es unter „Bild festlegen“ noch einmal aus.',
}

export const invitation: Translated<typeof englishInvitation> = {
  title: 'Einladungen',
  addedYouTo: '{person} hat dich zu {group} hinzugefügt',
  youWereAddedTo: 'Du wurdest zu {group} hinzugefügt',
  addedYou: '{person} hat dich zu dieser Gruppe hinzugefügt.',
  youWereAdded: 'Du wurdest zu dieser Gruppe hinzugefügt.',
  consequence:
    'Wenn du beitrittst, können die Mitglieder deine Bibliothek sehen, falls deine Einstellungen es erlauben, und du ihre. Freunde sehen ihre Bibliotheken ohnehin gegenseitig.',
  join: 'Beitreten',
  joining: 'Beitritt läuft …',
  joinFailed: 'Der Beitritt ist fehlgeschlagen.',
  decline: 'Ablehnen',
  declining: 'Wird abgelehnt …',
  declineFailed: 'Die Einladung konnte nicht abgelehnt werden.',
  joined: 'Du bist jetzt Mitglied von {group}',
  declined: 'Du hast {group} abgelehnt',
  joinAfterAll: 'Doch beitreten',
  notJoined: 'noch nicht beigetreten',
}

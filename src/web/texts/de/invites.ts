import type { invites as english } from '../en/invites.ts'
import type { Translated } from '#shared/texts/types.ts'

export const invites: Translated<typeof english> = {
  title: { group: 'In diese Gruppe einladen', night: 'Den anderen Bescheid sagen' },
  explained: {
    group: 'Wer den Link öffnet und sich anmeldet, kann dieser Gruppe beitreten.',
    night: 'Wer den Link öffnet und sich anmeldet, kann diesem Spieleabend beitreten, und sonst nichts.',
  },
  failed: 'Der Link konnte nicht geladen werden',
  create: 'Link erstellen',
  creating: 'Wird erstellt …',
  link: 'Link',
  copy: 'Link kopieren',
  code: 'QR-Code des Links',
  codeHint: 'Oder lass andere diesen Code scannen.',
  validUntil: 'Gültig bis {time}, erstellt von {name}.',
  validUntilMine: 'Gültig bis {time}, erstellt von dir.',
  renew: 'Erneuern',
  renewing: 'Wird erneuert …',
  renewed: 'Das ist der neue Link. Der alte gilt nicht mehr.',
  renewTitle: 'Link erneuern?',
  renewText: 'Mit dem bisherigen Link kann dann niemand mehr beitreten. Wer beigetreten ist, bleibt.',
  switchOff: 'Ausschalten',
  switchingOff: 'Wird ausgeschaltet …',
  switchedOff: 'Der Link ist ausgeschaltet.',
  switchOffTitle: 'Link ausschalten?',
  switchOffText: 'Damit kann dann niemand mehr beitreten. Wer beigetreten ist, bleibt.',
  changeFailed: 'Der Link konnte nicht geändert werden.',

  join: {
    windowTitle: 'Du bist eingeladen',
    loading: 'Deine Einladung wird geöffnet …',
    to: { group: 'Du bist eingeladen in die Gruppe {name}', night: 'Du bist eingeladen zu {name}' },
    untitled: 'einem Spieleabend',
    kind: { group: 'Gruppe', night: 'Spieleabend' },
    invites: '{name} lädt dich ein.',
    about: {
      group: 'In einer Gruppe siehst du, welche Spiele ihr alle besitzt und was ihr zusammen spielen könnt.',
      night: 'Sag, ob du dabei bist, sieh, welche Spiele ihr alle besitzt, stimm ab und spiel mit.',
    },
    consequence: {
      group:
        'Wenn du beitrittst, können die Mitglieder deine Bibliothek sehen, falls deine Einstellungen es erlauben, und du ihre.',
      night:
        'Wenn du beitrittst, sehen die anderen an diesem Abend deinen Namen. Nur wenn du sagst, dass du dabei bist, sehen sie, welche Spiele der Liste du besitzt.',
    },
    join: '{group} beitreten',
    joining: 'Beitritt läuft …',
    count: {
      group: '{count, plural, one {1 Mitglied ist beigetreten} other {# Mitglieder sind beigetreten}}',
      night: '{count, plural, one {1 ist dabei} other {# sind dabei}}',
    },
    findsDate: 'Es gibt mehrere Terminvorschläge. Mach mit und sag, wann du kannst.',
    atStake: 'Diese Spiele stehen zur Wahl',
    nameless: 'Jemand ohne Namen',
    faces: {
      on: 'Wenn du dabei bist, sehen alle mit diesem Link hier deinen Namen und dein Bild.',
      off: 'Wenn du dabei bist, sehen alle mit diesem Link, dass eine Person mehr dabei ist, aber nicht, wer.',
    },
    answers: { legend: 'Bist du dabei?', in: 'Dabei', maybe: 'Vielleicht', out: 'Nicht dabei' },
    signInToAnswer:
      'Als Nächstes meldest du dich über Steam an. Danach kommst du hierher zurück, und deine Antwort wird abgeschickt.',
    joinFailed: 'Der Beitritt ist fehlgeschlagen.',
    signIn: 'Anmelden und beitreten',
    signInHint:
      'Du meldest dich über Steam an, kommst hierher zurück und trittst erst bei, wenn du es sagst.',
    gone: 'Diese Einladung gilt nicht mehr. Bitte um einen neuen Link.',
    goneTitle: 'Einladung nicht gültig',
    failed: 'Die Einladung konnte nicht geöffnet werden',
    toDashboard: 'Zur Übersicht',
    toLogin: 'Was ist Shelfmates?',
  },
}

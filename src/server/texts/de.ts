import type { Translated } from '#shared/texts/types.ts'
import type { en } from './en.ts'

export const de: Translated<typeof en> = {
  calendar: {
    name: 'Spieleabende',
    night: 'Spieleabend',
    nightOf: 'Spieleabend: {group}',
    picked: 'Gewählt: {game}',
  },

  dates: {
    inZone: '{weekday}, {day}. {month} um {time} Uhr, {zone}',
  },

  messages: {
    test: 'Das ist ein Test von Shelfmates: Hier kommen Nachrichten über Spieleabende an.',
    about: {
      dating: 'Wann könnt ihr spielen ({night})?',
      planned: 'Ein Spieleabend ist geplant ({night}).',
      found: 'Der Termin des Spieleabends steht fest ({night}).',
      moved: 'Der Spieleabend wurde verschoben ({night}).',
      cancelled: 'Der Spieleabend wurde abgesagt ({night}).',
      upcoming: 'Bald ist Spieleabend ({night}).',
      starting: 'Der Spieleabend beginnt gleich ({night}).',
      started: 'Der Spieleabend beginnt jetzt ({night}).',
      decided: 'Der Spieleabend ist entschieden ({night}).',
    },
    decidedFor: 'Der Spieleabend ist entschieden ({night}): {game}.',
    decidedAs: 'Der Spieleabend ist entschieden: {game}.',
    what: {
      dating: 'Wann könnt ihr spielen?',
      planned: 'Ein Spieleabend ist geplant.',
      found: 'Der Termin des Spieleabends steht fest.',
      moved: 'Der Spieleabend wurde verschoben.',
      cancelled: 'Der Spieleabend wurde abgesagt.',
      upcoming: 'Bald ist Spieleabend.',
      starting: 'Der Spieleabend beginnt gleich.',
      started: 'Der Spieleabend beginnt jetzt.',
      decided: 'Der Spieleabend ist entschieden.',
    },
    picked: 'Gewählt: {game}',
    lacking:
      '{count, plural, one {1 Person hat das Spiel noch nicht} other {# von ihnen haben das Spiel noch nicht}}',
    in: '{count} dabei',
    inOfGroup: '{count} dabei · {group}',
    failures: {
      unreachable: 'Die Adresse ist nicht erreichbar.',
      not_public: 'Die Adresse liegt nicht im öffentlichen Internet.',
      too_slow: 'Die Adresse hat zu langsam geantwortet.',
      redirects: 'Die Adresse leitet weiter.',
      refused: 'Die Adresse hat mit {status} geantwortet.',
      forum: 'Das ist ein Forum-Kanal: Häng ?thread_id= und die ID eines seiner Beiträge an die Adresse an.',
      unknown: 'Die Nachricht konnte nicht gesendet werden.',
      tooMany: 'Mehr als {count} Nachrichten in einer Stunde: Einige wurden nicht gesendet.',
    },
    givenUp: '{failure} Eine Nachricht konnte nicht zugestellt werden.',
  },

  notifications: {
    night: 'Spieleabend',
    askedBy: '{name} fragt, ob du dabei bist: {when}',
    askedByNow: '{name} fragt, ob du jetzt mitspielst.',
    asked: 'Bist du dabei? {when}',
    askedNow: 'Spielst du jetzt mit?',
    askedWhenBy: '{name} fragt, wann du spielen kannst.',
    askedWhen: 'Wann kannst du spielen?',
    moved: 'Neue Zeit: {when}',
    movedNow: 'Es geht jetzt los.',
    dated: 'Der Termin steht fest: {when}',
    cancelled: 'Der Spieleabend wurde abgesagt. Geplant war {when}.',
    cancelledUnplanned: 'Der Spieleabend wurde abgesagt.',
    hosting: 'Wer eingeladen hat, ist nicht mehr dabei. Jetzt leitest du den Spieleabend.',
    owner: 'Diese Gruppe gehört jetzt dir.',
    vote: 'Die Abstimmung läuft, und du hast noch nicht abgestimmt.',
    picked: 'Gespielt wird {game}.',
    pickedLacking:
      '{count, plural, one {Gespielt wird {game}. 1 Person hat es noch nicht.} other {Gespielt wird {game}. # von euch haben es noch nicht.}}',
    upcoming: 'Bald geht es los: {when}',
    upcomingWith: 'Gespielt wird {game}: {when}',
    upcomingUnanswered: 'Bist du dabei? Du hast noch nicht geantwortet: {when}',
    starting: '{minutes, plural, one {In 1 Minute geht es los.} other {In # Minuten geht es los.}}',
    startingWith:
      '{minutes, plural, one {In 1 Minute geht es los: {game}} other {In # Minuten geht es los: {game}}}',
    startingUnanswered:
      '{minutes, plural, one {Bist du dabei? In 1 Minute geht es los, und du hast noch nicht geantwortet.} other {Bist du dabei? In # Minuten geht es los, und du hast noch nicht geantwortet.}}',
    discreet: {
      asked: 'Du bist zu einem Spieleabend eingeladen.',
      moved: 'Ein Spieleabend wurde verschoben.',
      dated: 'Der Termin für einen Spieleabend steht fest.',
      cancelled: 'Ein Spieleabend wurde abgesagt.',
      hosting: 'Du leitest jetzt einen Spieleabend.',
      owner: 'Dir gehört jetzt eine Gruppe.',
      vote: 'Eine Abstimmung läuft, und du hast noch nicht abgestimmt.',
      picked: 'Ein Spiel wurde gewählt.',
      upcoming: 'Bald steht ein Spieleabend an: {when}',
      upcomingUnanswered: 'Bist du dabei? Deine Antwort für einen Spieleabend fehlt noch: {when}',
      starting:
        '{minutes, plural, one {Ein Spieleabend beginnt in 1 Minute.} other {Ein Spieleabend beginnt in # Minuten.}}',
      startingUnanswered:
        '{minutes, plural, one {Bist du dabei? Ein Spieleabend beginnt in 1 Minute, und du hast noch nicht geantwortet.} other {Bist du dabei? Ein Spieleabend beginnt in # Minuten, und du hast noch nicht geantwortet.}}',
    },
  },

  pages: {
    description:
      'Dein Spieleregal neben denen deiner Freunde: Vergleicht eure Bibliotheken und seht, was ihr heute Abend alle spielen könnt.',
    slow: 'Shelfmates lädt ungewöhnlich lange.',
    tooOld:
      'Dieser Browser ist zu alt für Shelfmates. Nötig ist Chrome oder Edge 123, Firefox 125, Safari 17.5 oder neuer.',
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
  },

  share: {
    untitled: 'Spieleabend',
    findingDate: 'Der Termin wird noch gesucht',
    in: '{count, plural, one {1 ist dabei} other {# sind dabei}}',
    lacking: '{count, plural, one {1 hat das Spiel noch nicht} other {# haben das Spiel noch nicht}}',
    joined: '{count, plural, one {1 Mitglied ist beigetreten} other {# Mitglieder sind beigetreten}}',
    invites: '{name} lädt dich ein',
    play: 'Seht, was ihr alle spielen könnt',
    goneTitle: 'Nicht gefunden',
    gone: 'Dieser Link gilt nicht mehr',
    askForNew: 'Bitte um einen neuen.',
    demo: 'Das ist eine öffentliche Demo: Fremde haben geschrieben, was du hier siehst, und alles wird regelmäßig gelöscht.',
    nextReset: 'Nächstes Zurücksetzen um {time}.',
  },
}

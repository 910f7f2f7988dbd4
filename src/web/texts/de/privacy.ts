/** The texts of the Privacy page, in German. */
import type { privacyTexts as english } from '../en/privacy.ts'
import type { Translated } from '#shared/texts/types.ts'

export const privacyTexts: Translated<typeof english> = {
  lead: 'Was Shelfmates über dich speichert und warum, wie lange, und wie du es exportierst oder löschst.',
  toAccount: 'Zu deinem Konto',
  sections: [
    {
      title: 'Was gespeichert wird, und warum',
      points: [
        [
          'Dein Steam-Profil',
          'Steam-ID, Anzeigename, Adresse des Avatars, ob du online bist und was du gerade spielst, damit deine Freunde dich erkennen.',
        ],
        [
          'Deine Bibliothek',
          'Welche Spiele du besitzt, wie lange du sie gespielt hast und wann zuletzt. Das ist es, was Shelfmates zeigt und vergleicht.',
        ],
        [
          'Deine Spielzeit nach Monaten',
          'Sobald du dich angemeldet hast: wie viele Minuten du jedes Spiel in jedem Monat gespielt hast, berechnet aus den Unterschieden zwischen deinen Synchronisierungen, damit du den Verlauf sehen kannst. Nur du siehst ihn.',
        ],
        [
          'Die Spiele, die du verbirgst',
          'Welche deiner Spiele nur du sehen willst, damit Shelfmates sie bei allen anderen weglässt.',
        ],
        [
          'Die Spiele, die du anderswo hast',
          'Welche Spiele du nach eigener Angabe außerhalb von Steam hast und wo, damit du in Gruppen und an Spieleabenden mitzählst. Wer deine Bibliothek sehen darf, darf auch sie sehen.',
        ],
        [
          'Deine Freundesliste',
          'Deine Steam-Freunde und seit wann ihr befreundet seid, damit du Spiele mit ihnen vergleichen und sie zu Gruppen hinzufügen kannst.',
        ],
        [
          'Deine Gruppen',
          'Name, Bild und Mitglieder jeder Gruppe, wer wen hinzugefügt hat und wer beigetreten ist, und die Gruppen, die du verlassen hast, damit dich niemand wieder hinzufügt. Wie viele ein Spiel spielen können, wenn du das für eine Gruppe berichtigt hast, mit deinem Namen und dem Zeitpunkt. Bilder werden ohne ihre Metadaten gespeichert. Wann du Bilder geändert hast, wird für die Tagesgrenze gespeichert.',
        ],
        [
          'Deine Sitzungen',
          'Wann du dich angemeldet hast, wann jede Sitzung zuletzt benutzt wurde und wie der Browser heißt, damit du deine Sitzungen unterscheiden und beenden kannst. Von jedem Token wird nur ein Hash gespeichert.',
        ],
        [
          'Deine Benachrichtigungen',
          'Für jedes Gerät, auf dem du sie einschaltest, die Adresse und die Schlüssel deines Browsers bei seinem Push-Dienst, und worüber du benachrichtigt werden willst, damit die Nachrichten dich erreichen.',
        ],
        [
          'Deine Spieleabende',
          'Zu welchen Abenden du eingeladen wurdest und von wem, deine Antworten, Nachrichten und Stimmen und was gewählt wurde, damit eine Gruppe wählen und sich merken kann, was sie spielt. Außerdem die Adressen, die du anlegst: Einladungen, dein Kalender und Webhooks.',
        ],
        [
          'Meldungen und Sperren',
          'Welche Gruppen du gemeldet hast und warum; und wann der Betreiber dieser Seite dein Konto gesperrt, entsperrt oder abgemeldet hat und warum. Gruppen erfahren nicht, wer sie gemeldet hat.',
        ],
        [
          'Deine Synchronisierungen',
          'Wann du synchronisiert hast und welche Spiele seit dem letzten Mal neu waren, für die Tagesgrenze und für „Neueste Aktivitäten“.',
        ],
      ],
    },
    {
      title: 'Woher es kommt',
      points: [
        [
          'Von Steam, auf Anfrage',
          'Dein Profil, wenn du dich anmeldest. Deine Spiele und deine Freundesliste einmal bei deiner ersten Anmeldung und dann immer, wenn du auf eine Schaltfläche zum Synchronisieren drückst. Die Bibliotheken deiner Freunde, nachdem deine Freundesliste synchronisiert wurde. Shelfmates bekommt nur, was deine Privatsphäre-Einstellungen auf Steam zulassen.',
        ],
        [
          'Auch über Freunde, die Shelfmates nicht nutzen',
          'Wenn ein Freund von dir Shelfmates nutzt, kann gespeichert sein, was Steam über dich zeigt, auch wenn du dich nie angemeldet hast. Melde dich an, um zu bestimmen, wer es sehen kann, oder stell auf Steam die „Spieldetails“ auf „Privat“. Wenn dich keine Freundesliste und keine Gruppe mehr hat, bleibt es höchstens 90 Tage gespeichert.',
        ],
        ['Kein Passwort', 'Du meldest dich auf der Seite von Steam an. Shelfmates sieht dein Passwort nie.'],
      ],
    },
    {
      title: 'Wer es sehen kann',
      points: [
        [
          'Leute, mit denen du verbunden bist',
          'Deine Steam-Freunde und die Mitglieder der Gruppen, denen du beigetreten bist. Auf deiner Kontoseite kannst du das auf deine Gruppen oder auf niemanden beschränken; dasselbe gilt dann dafür, was du gerade spielst. Spiele, die du verbirgst, siehst nur du.',
        ],
        [
          'Wer deine Kalenderadresse hat',
          'Die Adresse auf deiner Kontoseite zeigt deiner Kalender-App und allen anderen, die sie haben, ohne Anmeldung Zeit, Titel, Gruppe und gewähltes Spiel deiner geplanten Spieleabende. Sie nennt keine Personen. Sie ist aus, bis du sie anlegst, und du kannst sie erneuern oder abschalten.',
        ],
        [
          'Dienste, die der Besitzer einer Gruppe oder ein Gastgeber einrichtet',
          'Wenn der Besitzer einer Gruppe eine Adresse für Nachrichten angibt, etwa einen Discord-Kanal, bekommen dieser Dienst und seine Leser den Namen der Gruppe, Titel und Zeiten eines Abends, wie viele dabei sind, das gewählte Spiel und wie vielen, die nicht abgesagt haben, es fehlt, ohne die, die ihre Bibliothek nur Gruppen oder niemandem zeigen. Personen werden nicht genannt.',
        ],
        [
          'Wer einen Link hat',
          'Ein Link zum gewählten Spiel zeigt allen das Spiel, den Namen der Gruppe, Datum und Uhrzeit, wie viele dabei sind und wie vielen von ihnen das Spiel fehlt, auf dieselbe Weise gezählt, bis ihn jemand aus dem Abend abschaltet; der Besitzer der Gruppe kann solche Links verbieten. Eine Einladung in eine Gruppe zeigt ihren Namen, wie viele beigetreten sind, und deinen Namen, wenn du sie erstellt hast. Eine Einladung zu einem Abend zeigt Titel, Zeit und Zeitzone, wie viele dabei sind und bis zu drei Spiele, die sie alle besitzen, außer einer von ihnen zeigt seine Bibliothek nur Gruppen oder niemandem; Namen und Bilder nur, wenn wer den Abend leitet das einschaltet. Wer ihr folgt und mit „Dabei“ antwortet, sieht, was die Leute des Abends sehen.',
        ],
        [
          'Der Push-Dienst deines Browsers',
          'Schaltest du Benachrichtigungen ein, bringt sie ein Dienst des Herstellers deines Browsers auf dein Gerät. Er sieht, wann sie kommen, kann sie aber nicht lesen: Sie sind für deinen Browser verschlüsselt.',
        ],
        [
          'Der Betreiber dieser Seite',
          'Deinen Namen und wann du dich zum ersten Mal angemeldet hast; Name, Bild, Besitzer und Mitglieder einer Gruppe, die gemeldet wurde. Auf keiner Seite deine Bibliothek oder deine Freunde.',
        ],
        [
          'Sonst niemand',
          'Außer diesen niemand. Es gibt keine Werbung und kein Tracking, und nichts wird verkauft oder weitergegeben.',
        ],
        [
          'Die Bildserver von Steam',
          'Dein Browser lädt Avatare und Spielbilder von Steam; dort ist deine IP-Adresse zu sehen. Gruppenbilder kommen von Shelfmates selbst.',
        ],
      ],
    },
    {
      title: 'Wie lange',
      points: [
        ['Sitzungen', 'Bis du dich abmeldest, oder 30 Tage ohne Benutzung.'],
        ['Benachrichtigungen auf einem Gerät', 'Bis du sie dort ausschaltest oder die Sitzung endet.'],
        ['Synchronisierungen und Änderungen deiner Bibliothek', '30 Tage.'],
        ['Spielzeit nach Monaten', '24 Monate.'],
        ['Spieleabende', 'Bis 400 Tage nach ihrem Beginn.'],
        ['Zeitpunkte von Bildänderungen', '24 Stunden.'],
        ['Meldungen von Gruppen', 'Bis der Betreiber sie bearbeitet hat.'],
        ['Was der Betreiber getan hat', 'Ein Jahr.'],
        [
          'Profil, Bibliothek, verborgene und anderswo vorhandene Spiele, Freundesliste und Gruppen',
          'Bis du dein Konto löschst.',
        ],
        [
          'Nachdem du dein Konto gelöscht hast',
          'Ein Hash deiner Steam-ID, damit nichts über dich wieder gespeichert wird; und 24 Stunden lang, mit einem solchen Hash, wann du dich angemeldet, synchronisiert, Bilder geändert, Abende begonnen, Webhooks eingerichtet, Benachrichtigungen eingeschaltet und Gruppen gemeldet hast, für die Tagesgrenzen. Sicherungen behalten, was sie hatten, bis der Betreiber sie löscht. War dein Konto gesperrt, bleibt die Sperre mit einem weiteren solchen Hash.',
        ],
        [
          'In deinem Browser',
          'Dein Token, deine Steam-ID, dein Name, die Adresse deines Avatars und wessen Benachrichtigungen an sind, bis du dich abmeldest. Auch danach, wie Seiten aussehen: Sprache, Design, ob Spiele Kacheln oder Zeilen sind, die Spielefilter und die Tastenkürzel. In einem Tab, bis du ihn schließt: Stimmen und Antworten, die du noch nicht gesendet hast, und die Seite, die du vor der Anmeldung öffnen wolltest. Während du dich anmeldest, werden für ein paar Minuten zwei oder drei Cookies gesetzt.',
        ],
      ],
    },
    {
      title: 'Was du tun kannst',
      points: [
        [
          'Deine Daten exportieren',
          'Lade auf deiner Kontoseite alles, was über dich gespeichert ist, als JSON-Datei herunter.',
        ],
        [
          'Dein Konto löschen',
          'Auf deiner Kontoseite löschst du dein Konto sofort: Sitzungen, Bibliothek, Freundesliste, Mitgliedschaften und Synchronisierungen. Jede Gruppe, die dir gehört, geht an das Mitglied über, das von allen Beigetretenen am längsten dabei ist. Ist sonst niemand beigetreten, wird sie gelöscht. Nur deine Steam-ID bleibt in den Freundeslisten anderer: Bis du dich wieder anmeldest, wird nichts über dich synchronisiert, gespeichert oder gezeigt.',
        ],
        ['Abmelden', 'Beende einzelne Sitzungen oder alle auf einmal.'],
      ],
    },
    {
      title: 'Shelfmates und Steam',
      points: [
        [
          'Mit Daten von Steam',
          'Shelfmates nutzt die Steam Web API. Es gehört nicht zur Valve Corporation und wird von ihr weder empfohlen noch gefördert. Steam und das Steam-Logo sind Marken der Valve Corporation.',
        ],
      ],
    },
  ],
}

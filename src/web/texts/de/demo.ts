import type { demo as english } from '../en/demo.ts'
import type { Translated } from '../types.ts'

export const demo: Translated<typeof english> = {
  title: 'Das ist eine Demo: Verbinde sie mit Steam',
  lead: 'Spieler und Spiele sind erfunden. Nach vier Schritten zeigt dein eigener Server deine Freunde und deine Spiele.',
  steps: [
    {
      title: 'Hol dir einen Schlüssel',
      text: 'Melde dich auf steamcommunity.com/dev/apikey mit dem Konto an, unter dem der Server laufen soll, und gib deine Domain an.',
      code: 'STEAM_API_KEY=…',
    },
    {
      title: 'Leg die Adresse fest',
      text: 'An dieser Adresse melden sich alle an. Sie muss deshalb so lauten, wie ihr Browser sie zeigt.',
      code: 'PUBLIC_URL=https://games.example.org',
    },
    {
      title: 'Stell einen Proxy davor',
      text: 'Caddy oder nginx sorgt für https. In docs/operate/proxies.md steht für beide ein Beispiel.',
      code: 'TRUST_PROXY=127.0.0.1',
    },
    {
      title: 'Starte mit einem eigenen Ordner',
      text: 'Die Demo behält ihre Daten; der richtige Server braucht einen anderen Ordner.',
      code: 'DATA_DIR=./live npm start',
    },
  ],
}

/** From a demo to the real platform (DEMO-3). */
export const demo = {
  title: 'This is a demo: connect it to Steam',
  lead: 'Players and games are made up. After four steps your own server shows your friends and your games.',
  steps: [
    {
      title: 'Get a key',
      text: 'Sign in at steamcommunity.com/dev/apikey with the account that will run it, and enter your domain.',
      code: 'STEAM_API_KEY=…',
    },
    {
      title: 'Choose the address',
      text: 'People sign in at this address, so it must be the one that their browsers show.',
      code: 'PUBLIC_URL=https://games.example.org',
    },
    {
      title: 'Put a proxy in front',
      text: 'Caddy or nginx adds https. docs/operate/proxies.md has an example of each.',
      code: 'TRUST_PROXY=127.0.0.1',
    },
    {
      title: 'Start with a folder of its own',
      text: 'The demo keeps its data; the real platform needs another folder.',
      code: 'DATA_DIR=./live npm start',
    },
  ],
} as const

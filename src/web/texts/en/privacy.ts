/**
 * The texts of the Privacy page, which are too long for `messages.ts`. They must match what is stored
 * (`server/database/schema.ts`) and for how long (`server/sync/housekeeping.ts`).
 * Requirements: VIS-5.
 */
export const privacyTexts = {
  lead: 'What Shelfmates stores about you and why, for how long, and how to export or delete it.',
  toAccount: 'To your account',
  sections: [
    {
      title: 'What is stored, and why',
      points: [
        [
          'Your profile on Steam',
          'Steam id, display name, avatar URL, whether you’re online and what you’re playing, so that your friends recognise you.',
        ],
        [
          'Your library',
          'Which games you own, and how long and when you last played them. This is what Shelfmates shows and compares.',
        ],
        [
          'Your playtime by month',
          'Once you’ve signed in, how many minutes you played each game in each month, from the differences between your syncs, so that you can see it over time. Only you see it.',
        ],
        [
          'The games you hide',
          'Which of your games only you want to see, so that Shelfmates leaves them out for everyone else.',
        ],
        [
          'The games you own elsewhere',
          'Which games you say you own outside Steam, and where, so that groups and game nights count you. Whoever may see your library may see them.',
        ],
        [
          'Your friend list',
          'Your Steam friends and since when you’ve been friends, so that you can compare games with them and add them to groups.',
        ],
        [
          'Your groups',
          'The name, picture and members of each group, who added whom and who has joined, and the groups you left, so that nobody adds you again. How many can play a game, where you corrected it for a group, with your name and when. Pictures are stored without their metadata. The times when you changed pictures are stored for the daily limit.',
        ],
        [
          'Your sessions',
          'When you signed in, when each session was last used, and the name of the browser, so that you can tell your sessions apart and end them. Only a hash of each token is stored.',
        ],
        [
          'Your notifications',
          'For each device on which you turn them on, the address and keys that your browser has at its push service, and what you want to be notified of, so that messages reach you.',
        ],
        [
          'Your game nights',
          'Which nights you were asked to and by whom, your answers, messages and votes, and what was picked, so that a group can choose and remember what it plays. And the addresses you create: invitations, your calendar, and webhooks.',
        ],
        [
          'Reports and blocks',
          'Groups you have reported, and why; and when the operator of this site blocked, unblocked or signed out your account, and why. Groups aren’t told who reported them.',
        ],
        [
          'Your syncs',
          'When you synced, and which games were new since the sync before, for the daily limit and for Recent Activity.',
        ],
      ],
    },
    {
      title: 'Where it comes from',
      points: [
        [
          'From Steam, on request',
          'Your profile when you sign in. Your games and friends list once at your first sign-in, and then whenever you press a sync button. The libraries of your friends after your friends list was synced. Shelfmates only gets what your Steam privacy settings allow.',
        ],
        [
          'Also about friends who don’t use Shelfmates',
          'If a friend of yours uses Shelfmates, what Steam shows about you may be stored even if you have never signed in. Sign in to choose who can see it, or set "Game details" to Private on Steam. Once nobody’s friend list and no group has you, it is kept for at most 90 days.',
        ],
        ['No password', 'You sign in on Steam’s own page. Shelfmates never sees your password.'],
      ],
    },
    {
      title: 'Who can see it',
      points: [
        [
          'People you are connected with',
          'Your Steam friends, and members of groups you’ve joined. On your Account page you can limit this to your groups, or to nobody; the same limit then applies to what you’re playing. Games you hide are shown only to you.',
        ],
        [
          'Who has your calendar address',
          'The address on your Account page gives, without signing in, the time, title, group and pick of your planned game nights, to your calendar app and to anyone else who has it. It names no people. It is off until you create it, and you can renew or switch it off.',
        ],
        [
          'Services that a group’s owner or a host sets up',
          'If the owner of a group gives an address for messages, such as a Discord channel, that service and its readers get the group’s name, a night’s title and times, how many are in, the pick, and how many who haven’t said no don’t have it, not counting people who show their library to groups only or to nobody. It names no people.',
        ],
        [
          'Who has a link',
          'A link to a pick shows everyone the game, the group’s name, the date and time, how many are in, and how many of them don’t have the game, counted the same way, until somebody of the night switches it off; the group’s owner can forbid such links. An invitation to a group shows its name, how many have joined, and your name if you created it. An invitation to a night shows its title, time and time zone, how many are in and up to three games that they all own, unless one of them shows their library to groups only or to nobody; their names and pictures only if whoever leads the night switches that on. Who follows it and answers “In” sees what the people of the night see.',
        ],
        [
          'The push service of your browser',
          'If you turn on notifications, a service of your browser’s maker brings them to your device. It sees when they come, but can’t read them: they’re encrypted for your browser.',
        ],
        [
          'The operator of this site',
          'Your name, and when you signed in first; the name, picture, owner and members of a group that was reported. Not your library or friends on any page.',
        ],
        [
          'Nobody else',
          'Apart from these, nobody. There is no advertising and no tracking, and nothing is sold or passed on.',
        ],
        [
          'Steam’s picture servers',
          'Your browser loads avatars and game art from Steam, which can see your IP address. Group pictures come from Shelfmates itself.',
        ],
      ],
    },
    {
      title: 'For how long',
      points: [
        ['Sessions', 'Until you log out, or 30 days without use.'],
        ['Notifications on a device', 'Until you turn them off there, or the session ends.'],
        ['Syncs and changes in your library', '30 days.'],
        ['Playtime by month', '24 months.'],
        ['Game nights', 'Until 400 days after their start.'],
        ['Times of picture changes', '24 hours.'],
        ['Reports of groups', 'Until the operator has dealt with them.'],
        ['What the operator did', 'One year.'],
        [
          'Profile, library, hidden games, games owned elsewhere, friend list and groups',
          'Until you delete your account.',
        ],
        [
          'After you delete your account',
          'A hash of your Steam id, so that nothing about you is stored again; and for 24 hours, with such a hash, when you signed in, synced, changed pictures, started nights, set webhooks, turned on notifications and reported groups, for the daily limits. Backups keep what they had until the operator deletes them. If your account was blocked, the block stays with another such hash.',
        ],
        [
          'In your browser',
          'Your token, Steam id, name and avatar URL, and whose notifications are on, until you log out. How pages look, even after that: language, theme, whether games are tiles or rows, the filters of games, and keyboard shortcuts. In a tab until you close it: votes and answers that you have not sent yet, and the page you asked for before you signed in. While you sign in, two or three cookies are set for a few minutes.',
        ],
      ],
    },
    {
      title: 'What you can do',
      points: [
        ['Export your data', 'Download everything stored about you as a JSON file from your Account page.'],
        [
          'Delete your account',
          'Your Account page deletes your account at once: sessions, library, friends list, memberships and syncs. Each group you own passes to the member who has been in it longest and has joined, or is deleted if nobody else has joined. Only your Steam id stays in the friends lists of others: until you sign in again, nothing about you is synced, stored or shown.',
        ],
        ['Sign out', 'End single sessions, or all of them at once.'],
      ],
    },
    {
      title: 'Shelfmates and Steam',
      points: [
        [
          'Powered by Steam',
          'Shelfmates uses the Steam Web API. It is not affiliated with, endorsed by or sponsored by Valve Corporation. Steam and the Steam logo are trademarks of Valve Corporation.',
        ],
      ],
    },
  ],
} as const

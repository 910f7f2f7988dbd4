/**
 * The sentences of the Privacy page. They stand here rather than in messages.ts because they are long and no other
 * screen shows them. Whoever changes what is stored (`server/database/schema.ts`) or for how long
 * (`server/sync/housekeeping.ts`) changes them too.
 */
export const privacyTexts = {
  lead: 'What Shelfmates stores about you and why, for how long, and how you take it along or delete it.',
  toAccount: 'To your account',
  sections: [
    {
      title: 'What is stored, and why',
      points: [
        [
          'Your profile on Steam',
          'Steam id, display name, the address of your avatar, whether you are online and what you are playing: so that your friends recognise you.',
        ],
        [
          'Your library',
          'Which games you own, how long you played them and when last: this is what is shown, compared and put side by side in groups.',
        ],
        [
          'Your friend list',
          'Who your friends on Steam are and since when: so that you can compare with them and add them to groups.',
        ],
        [
          'Your groups',
          'Name, picture and members of each, who added whom and who has joined, and which groups you left, so that nobody adds you again. Pictures are drawn anew, without their metadata; when you changed one is stored for the daily limit.',
        ],
        [
          'Your sessions',
          'When you signed in, when each session was last used, and how the browser names itself: so that you can tell them apart and end them. Of the token only a fingerprint is stored.',
        ],
        [
          'Your syncs',
          'When you read something from Steam, and what of your games is new since: for the daily limit and for Recent Activity.',
        ],
      ],
    },
    {
      title: 'Where it comes from',
      points: [
        [
          'From Steam, when somebody asks for it',
          'Your profile when you sign in; your games and friend list once by themselves, at your first sign-in, and later when you press a sync button; and the libraries of your friends after your friend list was read. Only what your privacy settings on Steam show can be read.',
        ],
        [
          'Also about friends who are not here',
          'If a friend of yours uses Shelfmates, what Steam shows of you may be stored without your having signed in. Sign in to choose who sees it, or set "Game details" to Private on Steam.',
        ],
        ['No password', 'You sign in on Steam’s own page. Shelfmates never sees your password.'],
      ],
    },
    {
      title: 'Who sees it',
      points: [
        [
          'People you are connected with',
          'Friends on Steam, and members of the groups you have joined. On your Account page you can narrow that down to your groups, or to nobody; what you are playing is then shown to nobody else either.',
        ],
        ['Nobody else', 'There is no advertising and no tracking, and nothing is sold or passed on.'],
        [
          'Steam’s picture servers',
          'Avatars and game art are loaded by your browser from Steam, which thereby learns your network address. Group pictures come from Shelfmates itself.',
        ],
      ],
    },
    {
      title: 'For how long',
      points: [
        ['Sessions', 'They end after 30 days without use, and when you log out.'],
        ['Syncs and changes in your library', '30 days.'],
        ['When you changed pictures', '24 hours.'],
        ['Profile, library, friend list and groups', 'Until you delete your account.'],
        [
          'After you deleted your account',
          'That it is deleted, by a fingerprint of your Steam id, so that nothing about you is stored again; and for 24 hours when you used syncs and changed pictures, for the daily limits.',
        ],
        [
          'In your browser',
          'Your token, steam id, name and avatar address, until you log out. While you sign in there are two cookies, for some minutes.',
        ],
      ],
    },
    {
      title: 'What you can do',
      points: [
        ['Take it along', 'Your Account page gives you everything that is stored about you as a JSON file.'],
        [
          'Delete it',
          'Your Account page deletes your account at once: sessions, library, friend list, memberships and syncs. Groups you own pass to the member who has been in them longest of those who have joined, or are deleted. In the friend lists of others your Steam id stays, and nothing else: until you sign in again nothing about you is read from Steam, stored or shown, whoever syncs.',
        ],
        ['End sessions', 'One by one, or everywhere at once.'],
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

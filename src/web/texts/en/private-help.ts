/** Texts for whose game details are private (NIGHT-133). */
export const privateHelp = {
  copy: 'Copy a message for {name}',
  /** Where the browser did not let the page copy it at once. */
  copyAgain: 'Copy message',
  /** `settings` is the address of the setting, `here` that of this installation. */
  message:
    'Hi {name}! I’d like to see which games we can all play, but your game details are private on Steam, so yours don’t count yet. Open {settings} and set “Game details” to Public. Then sign in at {here} and press Sync Games on My Games. Thank you!',
} as const

/** Texts of what can be copied, which are loaded with it (NIGHT-95). */
export const copying = {
  copied: 'Copied!',
  /** Where the browser does not let pages write to the clipboard. */
  byKey: 'Selected: copy it with Ctrl+C or the menu of your device.',
} as const

/** What of Find is open: the search, the list of keys, or nothing. */
export type Opened = 'find' | 'keys' | undefined

export type FindDialogsProps = {
  opened: Opened
  /** What was typed before the code was loaded. */
  initial: string
  onOpen: (what: Opened) => void
}

/** Correcting how many can play a game, for members who have joined (GPAGE-36). */
import { useState, type ReactNode } from 'react'
import type { Group } from '#shared/entities.ts'
import { useLazyDialog } from '../../ui/lazy-dialog.tsx'
import type { PlayersGame } from './players-dialog.tsx'

const load = async () => (await import('./players-dialog.tsx')).PlayersDialog
const none: PlayersGame = { appid: 0, name: '' }

/** `onPlayers` opens the dialog of a game; undefined for members who may not correct it. */
export function usePlayersDialog({ group_id: groupId, joined }: Group): {
  onPlayers: ((game: PlayersGame) => void) | undefined
  dialog: ReactNode
} {
  const [game, setGame] = useState(none)
  const { open, dialog } = useLazyDialog(load, { groupId, game })
  const onPlayers = (chosen: PlayersGame) => {
    setGame(chosen)
    open()
  }
  return { onPlayers: joined ? onPlayers : undefined, dialog }
}

/** The dialog in which a member says what they have elsewhere, and corrects how many can play a game (GPAGE-36). */
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { GroupGamePlayers } from '#shared/entities.ts'
import { PLAYERS_MAX } from '#shared/limits.ts'
import { useCallAction } from '../../layout/call-action.ts'
import { gamePlayersQuery, useCorrectPlayers } from '../../data/games.ts'
import { messages, gamePlayers as text } from 'virtual:texts'
import { OutcomeNotice } from '../../ui/forms/async-action.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { ListPlayers } from '../../ui/games/game-players-mark.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { GameMarks } from '../../layout/game-marks.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { RelativeTime } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'

export type PlayersGame = { appid: number; name: string }

export function PlayersDialog({
  groupId,
  game,
  open,
  onClose,
}: DialogState & { groupId: number; game: PlayersGame }) {
  const query = useQuery({ ...gamePlayersQuery(groupId, game.appid), enabled: open })
  return (
    <Dialog open={open} title={game.name} closeLabel={messages.close} onClose={onClose}>
      {open && <GameMarks game={game} groupId={groupId} />}
      <h3 className="font-semibold">{text.title}</h3>
      <Loaded query={query} failed={text.failed} skeleton={<ListSkeleton rows={2} />}>
        {(players) => <Correct groupId={groupId} players={players} />}
      </Loaded>
    </Dialog>
  )
}

function Correct({ groupId, players }: { groupId: number; players: GroupGamePlayers }) {
  const { appid, players_max: max, correction } = players
  const [typed, setTyped] = useState(max === null ? '' : String(max))
  const [isInvalid, setInvalid] = useState(false)
  const correct = useCorrectPlayers(groupId, appid)
  const { busy, outcome, run } = useCallAction()

  function submit(event: FormEvent) {
    event.preventDefault()
    const number = Number(typed)
    const isValid = Number.isInteger(number) && number >= 1 && number <= PLAYERS_MAX
    setInvalid(!isValid)
    if (isValid) run(() => correct(number), { done: text.saved, failed: text.saveFailed })()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-sm text-soft">
        {players.players ? <ListPlayers players={players.players} /> : text.notListed}
      </p>
      {correction && max !== null && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-sm">
            <strong className="font-semibold">
              {max >= PLAYERS_MAX ? text.corrected.any : text.corrected.upTo({ people: max })}
            </strong>{' '}
            <span className="text-soft">
              {correction.by ? (
                <Sentence
                  text={text.by}
                  values={{
                    person: <Name>{nameOf(correction.by)}</Name>,
                    time: <RelativeTime time={correction.at} />,
                  }}
                />
              ) : (
                <Sentence text={text.byFormer} values={{ time: <RelativeTime time={correction.at} /> }} />
              )}
            </span>
          </p>
          <Button
            busy={busy}
            onClick={run(() => correct(null), { done: text.takenBack, failed: text.saveFailed })}
          >
            {text.takeBack}
          </Button>
        </div>
      )}
      <TextField
        label={text.label}
        hint={text.hint}
        inputMode="numeric"
        autoComplete="off"
        maxLength={String(PLAYERS_MAX).length}
        value={typed}
        error={isInvalid ? text.invalid({ max: PLAYERS_MAX }) : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <OutcomeNotice outcome={outcome} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={busy}
        busyLabel={text.saving}
      >
        {text.save}
      </Button>
    </form>
  )
}

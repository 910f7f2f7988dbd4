/** Games that are not on Steam: those of the group, and a form that adds one (GPAGE-38). */
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import type { FormEvent } from 'react'
import type { Group } from '#shared/entities.ts'
import { ADDED_GAME_LINK_MAX, ADDED_GAME_NAME_MAX } from '#shared/limits.ts'
import { group as groupTexts } from 'virtual:texts'
import { addedGamesQuery, useAddedGames } from '../../data/games.ts'
import { failedOutcome, useCallAction } from '../../layout/call-action.ts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { useFocusWhenSet } from '../../ui/focus.ts'
import { Button, IconButton } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { useRequiredText } from '../../ui/forms/required-text.ts'
import { Fold } from '../../ui/frames/fold.tsx'
import { OutsideLink } from '../../ui/games/outside-link.tsx'
import { Name } from '../../ui/people/name.tsx'

const text = groupTexts.added

export function AddedGames({ group }: { group: Group }) {
  return (
    <Fold title={text.title}>
      <Games group={group} />
    </Fold>
  )
}

function Games({ group: { group_id: groupId, owner_steam_id } }: { group: Group }) {
  const { steamId: me } = useSignedIn()
  const { data: games = [] } = useQuery(addedGamesQuery(groupId))
  const { add, remove } = useAddedGames(groupId)
  const removal = useCallAction()
  const removed = useFocusWhenSet<HTMLDivElement>(removal.outcome)
  const addition = useAsyncAction()
  const name = useRequiredText({ max: ADDED_GAME_NAME_MAX, missing: text.nameMissing })
  const link = useRequiredText({ initial: 'https://', max: ADDED_GAME_LINK_MAX, missing: text.linkMissing })

  async function send(): Promise<Outcome> {
    try {
      await add({ name: name.text, link: link.text })
      name.setText('')
      link.setText('https://')
      return { tone: 'success', text: text.done }
    } catch (error) {
      return failedOutcome(text.failed, error)
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.check() && link.check()) void addition.start(send)
  }

  return (
    <>
      <p className="text-sm text-soft">{text.about}</p>
      {games.length > 0 && (
        <ul aria-label={text.title} className="grid max-h-96 gap-1 overflow-y-auto">
          {games.map((game) => (
            <li key={game.appid} className="flex min-w-0 items-center gap-2">
              <div className="grid min-w-0 flex-1 text-sm">
                <Name className="line-clamp-1 font-semibold">{game.name}</Name>
                <OutsideLink link={game.link} />
              </div>
              {(game.added_by === me || owner_steam_id === me) && (
                <IconButton
                  label={text.remove({ game: game.name })}
                  onClick={removal.run(() => remove(game.appid), {
                    done: text.removed,
                    failed: text.removeFailed,
                  })}
                >
                  <X aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {/* The button that was pressed is gone. */}
      <div ref={removed} tabIndex={-1} className="focus-visible:outline-none empty:hidden">
        <OutcomeNotice outcome={removal.outcome} />
      </div>
      <form noValidate onSubmit={submit} className="grid gap-3">
        <TextField label={text.name} {...name.field} />
        <TextField label={text.link} type="url" inputMode="url" {...link.field} />
        <Button type="submit" icon={<Plus aria-hidden />} busy={addition.busy} busyLabel={text.adding}>
          {text.add}
        </Button>
        <OutcomeNotice outcome={addition.outcome} />
      </form>
    </>
  )
}

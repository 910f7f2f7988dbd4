/** What I say of a game for groups and nights: that I own it elsewhere (NIGHT-136), and want to play it (WISH-2). */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { GamePage, OwnedElsewhere } from '#shared/entities.ts'
import { isolated } from '#shared/names.ts'
import { gamePageQuery, useOwnElsewhere, useWant } from '../data/games.ts'
import { formatList } from '../format.ts'
import { gameMarks as text, gamePage, messages } from 'virtual:texts'
import { useSignedIn } from '../session.ts'
import { OutcomeNotice } from '../ui/forms/async-action.tsx'
import { Dialog } from '../ui/frames/dialog.tsx'
import { Select } from '../ui/forms/field.tsx'
import type { DialogState } from '../ui/frames/lazy-dialog.tsx'
import { Loaded } from '../ui/frames/loaded.tsx'
import { ListSkeleton } from '../ui/frames/skeletons.tsx'
import { Toggle } from '../ui/forms/toggle.tsx'
import { useCallAction } from './call-action.ts'

type MarkedGame = { appid: number; name: string }

/** @param groupId the group that I want it with, or none */
export function GameMarks({ game: { appid }, groupId }: { game: MarkedGame; groupId: number | undefined }) {
  const query = useQuery(gamePageQuery(useSignedIn().steamId, appid))
  return (
    <Loaded query={query} failed={gamePage.failed} skeleton={<ListSkeleton rows={1} />}>
      {(page) => (
        <>
          {groupId !== undefined && <Wish page={page} groupId={groupId} />}
          {/* Also of who owns it on Steam, where the library can be private. */}
          {!page.link && <ElsewhereChoice appid={appid} elsewhere={page.elsewhere} />}
        </>
      )}
    </Loaded>
  )
}

/** Whether I want to play a game with a group; `label` names the group where there are several. */
export function Wish({
  page: { appid, wanted_in: wantedIn },
  groupId,
  label = text.want,
}: {
  page: Pick<GamePage, 'appid' | 'wanted_in'>
  groupId: number
  label?: string
}) {
  const want = useWant(useSignedIn().steamId, appid)
  const { outcome, run } = useCallAction()
  const wants = wantedIn.includes(groupId)
  return (
    <div className="grid justify-items-start gap-1.5">
      <Toggle
        checked={wants}
        onChange={(next) => run(() => want(groupId, next), { failed: text.wantFailed })()}
      >
        {label}
      </Toggle>
      <OutcomeNotice outcome={outcome} />
    </div>
  )
}

/** Where I own a game outside Steam. Keys choose on their way, so what they chose is saved when one leaves the field. */
export function ElsewhereChoice({ appid, elsewhere }: { appid: number; elsewhere: Place | null }) {
  const own = useOwnElsewhere(useSignedIn().steamId, appid)
  const { outcome, run } = useCallAction()
  const [chosen, setChosen] = useState<Place | 'none'>()
  const byKeys = useRef(false)
  const saved = elsewhere ?? 'none'
  function save(place: Place | 'none'): void {
    setChosen(undefined)
    if (place !== saved) run(() => own(place === 'none' ? null : place), { failed: text.elsewhereFailed })()
  }
  return (
    <div
      className="grid gap-1.5"
      onKeyDown={() => (byKeys.current = true)}
      onPointerDown={() => (byKeys.current = false)}
      onBlur={() => chosen && save(chosen)}
    >
      <Select
        label={text.elsewhere}
        options={text.places}
        value={chosen ?? saved}
        onChange={(place) => (byKeys.current ? setChosen(place) : save(place))}
      />
      <p className="text-xs text-soft">{text.elsewhereAbout}</p>
      <OutcomeNotice outcome={outcome} />
    </div>
  )
}

type Place = OwnedElsewhere['elsewhere_places'][string]

/** Who owns a game only elsewhere, and where; undefined where nobody does. */
export function elsewhereText(
  { elsewhere, elsewhere_places: places }: OwnedElsewhere,
  nameOf: (steamId: string) => string,
): string | undefined {
  if (elsewhere.length === 0) return undefined
  const people = elsewhere.map((id) =>
    text.at({ name: isolated(nameOf(id)), place: text.places[places[id]!] }),
  )
  return text.says({ people: formatList(people) })
}

export function GameMarksDialog({
  game,
  groupId,
  open,
  onClose,
}: DialogState & { game: MarkedGame; groupId: number | undefined }) {
  return (
    <Dialog open={open} title={game.name} closeLabel={messages.close} onClose={onClose}>
      {open && <GameMarks game={game} groupId={groupId} />}
    </Dialog>
  )
}

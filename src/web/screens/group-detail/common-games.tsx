/** Common Games: a card for each game that all members own, and members who are not counted (GPAGE-14). */
import { Gamepad2 } from 'lucide-react'
import { useState } from 'react'
import type { GroupMember, SharedGame } from '#shared/entities.ts'
import { roundedHours } from '#shared/playtime.ts'
import { isCounted, memberHours } from '../../data/common-games.ts'
import { isNetworkError } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GameShelf } from '../../ui/game-shelf.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Name, nameOf } from '../../ui/name.tsx'
import { GameGridSkeleton } from '../../ui/skeletons.tsx'
import { choices, shownGames } from './common-games-view.ts'
import type { GroupGames } from './group-actions.tsx'
import { MissingLibraries } from './missing-libraries.tsx'

const texts = messages.group

/** Members with their hours on a card; a dialog shows the others. The heights match the rows below. */
const MEMBERS_ON_CARD = 4
const MEMBER_ROW_PX = 26
const MORE_ROW_PX = 44

/** @param members undefined until loaded; ids are then shown instead of names */
export function CommonGames({
  games,
  members,
}: {
  games: GroupGames
  members: readonly GroupMember[] | undefined
}) {
  // Two empty texts: 'No data yet...' if no member's library is known (GPAGE-17), 'No common games...' if the compared
  // libraries have no game in common (GPAGE-16).
  const { steamId: me } = useSignedIn()
  const isNoLibraryKnown = members !== undefined && !members.some((member) => isCounted(member, me))

  return (
    <section aria-labelledby="common-games" className="grid min-w-0 gap-5">
      <h2 id="common-games" className="text-xl font-semibold tracking-tight">
        {texts.commonGames}
      </h2>
      <MissingLibraries members={members ?? []} />
      {games.started ? (
        <Loaded
          query={games.query}
          failed={isNetworkError(games.query.error) ? messages.networkError : texts.commonGamesFailed}
          skeleton={<GameGridSkeleton text={texts.loadingGames} />}
          empty={<EmptyState icon={<Gamepad2 />}>{isNoLibraryKnown ? texts.noData : texts.empty}</EmptyState>}
        >
          {(list) => <Games games={list} members={members ?? []} />}
        </Loaded>
      ) : (
        <EmptyState
          icon={<Gamepad2 />}
          action={!isNoLibraryKnown && <Button onClick={games.start}>{texts.compare}</Button>}
        >
          {isNoLibraryKnown ? texts.noData : texts.compareHint}
        </EmptyState>
      )}
    </section>
  )
}

function Games({ games, members }: { games: readonly SharedGame[]; members: readonly GroupMember[] }) {
  const [opened, setOpened] = useState<SharedGame>()
  // Every game lists the same people: those whose libraries are known.
  const counted = Object.keys(games[0]?.playtimes ?? {}).length
  const hidden = counted - MEMBERS_ON_CARD
  const height = Math.min(counted, MEMBERS_ON_CARD) * MEMBER_ROW_PX + (hidden > 0 ? MORE_ROW_PX : 0)

  return (
    <>
      <GameShelf
        games={games}
        choices={choices}
        find={shownGames}
        searchLabel={texts.searchLabel}
        noMatch={texts.noMatch}
        narrow
        showCount
        label={texts.commonGames}
        heading="h3"
        detail={(game) => messages.gameView.totalHours(roundedHours(game.total_playtime))}
        more={{
          height,
          of: (game) => (
            <>
              <Hours game={game} members={members} rows={MEMBERS_ON_CARD} />
              {hidden > 0 && (
                <Button
                  variant="quiet"
                  className="justify-start! px-0!"
                  aria-haspopup="dialog"
                  onClick={() => setOpened(game)}
                >
                  {messages.andMore(hidden)}
                </Button>
              )}
            </>
          ),
        }}
      />
      <Dialog open={opened !== undefined} title={texts.hoursPerMember} onClose={() => setOpened(undefined)}>
        {opened && (
          <>
            <p className="font-medium">
              <Name>{opened.name}</Name>
            </p>
            {/* Focusable, so that it can be scrolled with the keyboard. */}
            <div tabIndex={0} role="group" aria-label={opened.name} className="max-h-[60vh] overflow-y-auto">
              <Hours game={opened} members={members} />
            </div>
          </>
        )}
      </Dialog>
    </>
  )
}

/** Each member's rounded hours in a game, most first (PAGE-14). */
function Hours({
  game,
  members,
  rows,
}: {
  game: SharedGame
  members: readonly GroupMember[]
  rows?: number
}) {
  return (
    <ul className="text-sm">
      {memberHours(game, members)
        .slice(0, rows)
        .map(({ steamId, member, minutes }) => (
          <li
            key={steamId}
            className="flex min-w-0 items-center justify-between gap-3"
            style={{ height: MEMBER_ROW_PX }}
          >
            <Name className="line-clamp-1 min-w-0 text-soft">{member ? nameOf(member) : steamId}</Name>
            <span className="font-semibold whitespace-nowrap tabular-nums">
              {messages.gameView.hours(roundedHours(minutes))}
            </span>
          </li>
        ))}
    </ul>
  )
}

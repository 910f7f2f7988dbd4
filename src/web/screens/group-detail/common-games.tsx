/** Common Games: a card for each game that all members own, and who could not be counted (GPAGE-14). */
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

/** Members with their hours on a card; a dialog has the rest. Heights are those of the rows below. */
const MEMBERS_ON_CARD = 4
const MEMBER_ROW_PX = 26
const MORE_ROW_PX = 44

/** @param members undefined while they are not known; ids then stand for names */
export function CommonGames({
  games,
  members,
}: {
  games: GroupGames
  members: readonly GroupMember[] | undefined
}) {
  // There are two texts for nothing (GPAGE-16, GPAGE-17): 'No data yet...' where no member's library is known,
  // so that there was nothing to compare; 'No common games...' where libraries were compared and have nothing in common.
  const { steamId: me } = useSignedIn()
  const isNothingKnown = members !== undefined && !members.some((member) => isCounted(member, me))

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
          empty={<EmptyState icon={<Gamepad2 />}>{isNothingKnown ? texts.noData : texts.empty}</EmptyState>}
        >
          {(list) => <Games games={list} members={members ?? []} />}
        </Loaded>
      ) : (
        <EmptyState
          icon={<Gamepad2 />}
          action={!isNothingKnown && <Button onClick={games.start}>{texts.compare}</Button>}
        >
          {isNothingKnown ? texts.noData : texts.compareHint}
        </EmptyState>
      )}
    </section>
  )
}

function Games({ games, members }: { games: readonly SharedGame[]; members: readonly GroupMember[] }) {
  const [opened, setOpened] = useState<SharedGame>()
  // Every game has the same people: those whose libraries are known.
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
        saysCount
        label={texts.commonGames}
        heading="h3"
        detail={(game) => texts.hoursTogether(roundedHours(game.total_playtime))}
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
                  {texts.everybody(hidden)}
                </Button>
              )}
            </>
          ),
        }}
      />
      <Dialog open={opened !== undefined} title={texts.everybodyTitle} onClose={() => setOpened(undefined)}>
        {opened && (
          <>
            <p className="font-medium">
              <Name>{opened.name}</Name>
            </p>
            {/* It scrolls, so the keyboard must reach it. */}
            <div tabIndex={0} role="group" aria-label={opened.name} className="max-h-[60vh] overflow-y-auto">
              <Hours game={opened} members={members} />
            </div>
          </>
        )}
      </Dialog>
    </>
  )
}

/** Who played a game how long, in rounded hours (PAGE-14); most first. */
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
              {texts.hours(roundedHours(minutes))}
            </span>
          </li>
        ))}
    </ul>
  )
}

/**
 * Common Games: a card for each game that all members own, and members who are not counted (GPAGE-14).
 * Requirements: GPAGE-15, GPAGE-33.
 */
import { Gamepad2, User, UsersRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { GroupMember, NearMiss, SharedGame } from '#shared/entities.ts'
import { isSinglePlayerOnly } from '#shared/playable.ts'
import { roundedHours } from '#shared/playtime.ts'
import {
  isCounted,
  memberHours,
  peopleCounted,
  playTogether,
  gamesShown,
  type TogetherGame,
} from '../../data/common-games.ts'
import { isNetworkError } from '../../data/http.ts'
import { messages, gamePlayers, group as groupTexts, groupSorts, gameView } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { EmptyState, Loaded, type Loadable } from '../../ui/frames/loaded.tsx'
import { GameShelf, type Sorts } from '../../ui/games/game-shelf.tsx'
import { GameGridSkeleton } from '../../ui/games/game-grid-skeleton.tsx'
import { Name } from '../../ui/people/name.tsx'
import { oneOf, useQueryView } from '../../ui/query-string.ts'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { OutsideLink } from '../../ui/games/outside-link.tsx'
import { BADGES_PX, FeatureBadges } from '../../ui/games/feature-badges.tsx'
import { GameHours, MEMBER_ROW_PX } from './game-hours.tsx'
import type { GroupGames, GroupSyncing } from './group-actions.tsx'
import { Counted } from './missing-libraries.tsx'
import { byName } from '../../ui/games/game-view.ts'

const texts = groupTexts
const shownParams = { shown: oneOf(['together', 'all'], { remembered: gamesShown }) }

/** Up to this many members stand on a card with their hours. Of more members it shows fewer, and a dialog shows all. */
const MEMBERS_ON_CARD = 6
const MEMBERS_ON_FOLDED_CARD = 5
/** Fewer games are seen at a glance (GPAGE-26). */
const FILTERS_FROM = 8
const MORE_ROW_PX = 44

export function CommonGames({
  games,
  nearMisses,
  members,
  sync,
  onPlayers,
}: {
  games: GroupGames
  /** Of which the free ones are games to play together; undefined while they are loading. */
  nearMisses: readonly NearMiss[] | undefined
  members: Loadable<GroupMember[]>
  sync: GroupSyncing
  /** Corrects how many can play a game. */
  onPlayers: ((game: SharedGame) => void) | undefined
}) {
  const { query } = games
  const { data } = query
  const [{ shown: chosen }, change] = useQueryView(shownParams)
  const choose = (shown: typeof chosen) => change({ shown })
  const together = useMemo(() => playTogether(data ?? [], nearMisses), [data, nearMisses])
  // Members who are not counted are named above the games, so both are shown together and nothing jumps. If members fail
  // to load, ids are shown instead of names.
  const isSettled =
    (members.data !== undefined || members.error !== null) &&
    ((data !== undefined && nearMisses !== undefined) || query.error !== null)

  return (
    <section aria-labelledby="common-games" className="grid min-w-0 gap-3">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2
          id="common-games"
          tabIndex={-1}
          className="scroll-mt-24 text-xl font-semibold tracking-tight focus-visible:outline-none max-sm:sr-only"
        >
          {texts.commonGames}
        </h2>
        {isSettled && data !== undefined && data.length + together.length > 0 && (
          <Segmented
            legend={texts.shown.legend}
            options={{
              together: texts.shown.together({ games: together.length }),
              all: texts.shown.all({ games: data.length }),
            }}
            value={chosen}
            onChange={choose}
          />
        )}
      </div>
      {isSettled ? (
        <>
          {members.data?.length === 1 && <p className="text-sm text-soft">{texts.alone}</p>}
          <Counted members={members.data ?? []} sync={sync} />
          <Loaded
            query={query}
            failed={isNetworkError(query.error) ? messages.networkError : texts.commonGamesFailed}
            skeleton={null}
            isEmpty={(list) => list.length === 0 && (chosen === 'all' || together.length === 0)}
            empty={<NoGames members={members.data} />}
          >
            {(list) =>
              chosen === 'together' && together.length === 0 ? (
                <EmptyState
                  icon={<User />}
                  action={<Button onClick={() => choose('all')}>{gameView.showAll}</Button>}
                >
                  {texts.shown.none}
                </EmptyState>
              ) : (
                <Shelf
                  games={chosen === 'together' ? together : list}
                  members={members.data ?? []}
                  hidden={chosen === 'together' ? list.filter(isSinglePlayerOnly).length : 0}
                  onPlayers={onPlayers}
                />
              )
            }
          </Loaded>
        </>
      ) : (
        <GameGridSkeleton compact cards={12} text={texts.loadingGames} />
      )}
    </section>
  )
}

/** If no member's library is known, or if the compared libraries have no game in common (GPAGE-15). */
function NoGames({ members }: { members: readonly GroupMember[] | undefined }) {
  const { steamId: me } = useSignedIn()
  const isNoLibraryKnown = members !== undefined && !members.some((member) => isCounted(member, me))
  return <EmptyState icon={<Gamepad2 />}>{isNoLibraryKnown ? texts.noData : texts.empty}</EmptyState>
}

/** @param hidden how many single-player games are not shown */
function Shelf({
  games,
  members,
  hidden,
  onPlayers,
}: {
  games: readonly TogetherGame[]
  members: readonly GroupMember[]
  hidden: number
  onPlayers: ((game: SharedGame) => void) | undefined
}) {
  const [opened, setOpened] = useState<TogetherGame>()
  // Every game lists the same people: those whose libraries are known.
  const counted = games[0] ? memberHours(games[0], []).length : 0
  const rows = counted <= MEMBERS_ON_CARD ? counted : MEMBERS_ON_FOLDED_CARD
  const folded = counted - rows
  // Without badges on any game their line is left out.
  const hasBadges = useMemo(() => games.some(({ features }) => features.length > 0), [games])
  const height = (hasBadges ? BADGES_PX : 0) + rows * MEMBER_ROW_PX + (folded > 0 ? MORE_ROW_PX : 0)

  return (
    <>
      <GameShelf
        games={games}
        sorts={sorts}
        people={peopleCounted(games)}
        onPlayers={onPlayers}
        searchLabel={texts.searchLabel}
        noMatch={texts.noMatch}
        note={hidden > 0 ? texts.shown.hidden({ games: hidden }) : undefined}
        filtersFrom={FILTERS_FROM}
        label={texts.commonGames}
        heading="h3"
        density="compact"
        detail={(game) =>
          game.link ? texts.notOnSteam : gameView.totalHours({ hours: roundedHours(game.total_playtime) })
        }
        rowAction={(game) =>
          game.link ? undefined : (
            <Button
              variant="quiet"
              className="px-2.5!"
              aria-haspopup="dialog"
              title={texts.hoursPerMember}
              icon={<UsersRound aria-hidden />}
              onClick={() => setOpened(game)}
            >
              {players(game)}/{counted}
              <span className="sr-only">{texts.hoursPerMember}</span>
            </Button>
          )
        }
        more={{
          height,
          of: (game) =>
            game.link ? (
              <OutsideLink link={game.link} />
            ) : (
              <>
                {hasBadges && <FeatureBadges game={game} />}
                <GameHours game={game} members={members} rows={rows} />
                {folded > 0 && (
                  <Button
                    variant="quiet"
                    className="justify-start! px-0!"
                    aria-haspopup="dialog"
                    onClick={() => setOpened(game)}
                  >
                    {messages.andMore({ count: folded })}
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
              <GameHours game={opened} members={members} />
            </div>
            {onPlayers && (
              <Button
                className="justify-self-start"
                aria-haspopup="dialog"
                onClick={({ currentTarget }) => {
                  // Closed first, so that the focus comes back to what opened this one.
                  currentTarget.closest('dialog')?.close()
                  onPlayers(opened)
                }}
              >
                {gamePlayers.title}
              </Button>
            )}
          </>
        )}
      </Dialog>
    </>
  )
}

const text = groupTexts.sorts

/** The response is sorted by total hours, largest first. */
export const sorts: Sorts<SharedGame, keyof typeof text | 'least'> = {
  hours: { text: text.hours, order: undefined },
  even: { text: text.even, order: (a, b) => players(b) - players(a) },
  alphabetical: { text: text.alphabetical, order: byName },
  least: { text: groupSorts.least, order: (a, b) => a.total_playtime - b.total_playtime },
}

/** The number of members who have played a game. */
export function players({ playtimes }: SharedGame): number {
  return Object.values(playtimes).filter((minutes) => minutes > 0).length
}

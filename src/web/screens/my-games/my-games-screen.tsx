/**
 * My Games (MINE-1): the user's library, with links to friends who play a game.
 * Requirements: MINE-4.
 */
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Library, UsersRound } from 'lucide-react'
import type { Game } from '#shared/entities.ts'
import { hoursAndMinutes } from '../../format.ts'
import { useHiddenGames } from '../../data/games.ts'
import { libraryQueries, useSyncGames } from '../../data/library.ts'
import { syncQueries, useLibraryProgress } from '../../data/sync.ts'
import { hiddenGames, myGames as myGamesTexts, navigation } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { GameShelf, librarySorts } from '../../ui/games/game-shelf.tsx'
import { GameGridSkeleton } from '../../ui/games/game-grid-skeleton.tsx'
import { HideGameButton, HideGameNotice } from '../../ui/games/hide-game.tsx'
import { PrivateNotice } from '../../ui/people/steam-privacy.tsx'
import { LeadLink, Screen } from '../../ui/frames/screen.tsx'
import { SyncButton } from '../../ui/forms/sync-button.tsx'
import { ListSummary } from '../../ui/words/relative-time.tsx'

const text = myGamesTexts

export function MyGamesScreen() {
  const { steamId } = useSignedIn()
  const library = useQuery(libraryQueries.games(steamId))
  const allowance = useQuery(syncQueries.status(steamId))
  // Refetches the games when the sync of the first sign-in has finished.
  useLibraryProgress(steamId)
  const sync = useSyncGames(steamId, steamId)
  const hiding = useHiddenGames(steamId)

  return (
    <Screen
      title={text.title}
      lead={
        // As wide as it gets, so that the action does not move below it when the summary comes.
        <div className="flex flex-wrap items-center gap-x-4 min-w-[min(24rem,calc(100vw-4rem))]">
          {/* First, where it does not move when the summary comes. */}
          <LeadLink to="/my_games/shelf" icon={ChartColumn}>
            {navigation.shelf}
          </LeadLink>
          {/* Where a long one has no room beside the link, it has its own line from the start. */}
          <div className="max-[24rem]:w-full">
            <ListSummary list={library.data} />
          </div>
        </div>
      }
      action={
        <SyncButton
          label={text.sync}
          sync={sync}
          allowance={allowance.data}
          syncedAt={library.data?.synced_at}
        />
      }
    >
      {library.data?.status === 'private' && (
        <PrivateNotice title={text.privateTitle}>
          {text.privateHint} {library.data.games.length > 0 && text.privateStored}
        </PrivateNotice>
      )}
      {library.data && hidesPlaytime(library.data) && (
        <PrivateNotice title={text.noPlaytimeTitle}>{text.noPlaytimeHint}</PrivateNotice>
      )}
      <Loaded
        query={library}
        skeleton={<GameGridSkeleton />}
        failed={text.failed}
        isEmpty={({ games }) => games.length === 0}
        // Syncing would bring nothing while the games are private.
        empty={library.data?.status !== 'private' && <EmptyState icon={<Library />}>{text.empty}</EmptyState>}
      >
        {({ games }) => (
          <GameShelf
            games={games}
            sorts={librarySorts}
            searchLabel={text.searchLabel}
            label={text.title}
            detail={(game) =>
              text.played({ playtime: hoursAndMinutes(game.playtime_minutes) }) +
              (hiding.hidden.has(game.appid) ? ` · ${hiddenGames.mark}` : '')
            }
            actions={(game) => (
              <>
                <CompareLink game={game} />
                {/* A narrow row has no room for it; the game's page has it too. */}
                <span className="@max-md:hidden">
                  <HideGameButton
                    game={game}
                    isHidden={hiding.hidden.has(game.appid)}
                    onChange={hiding.change}
                  />
                </span>
              </>
            )}
          />
        )}
      </Loaded>
      <HideGameNotice last={hiding.last} onChange={hiding.change} />
    </Screen>
  )
}

/** Whether a library is known but every game in it has 0 minutes: Steam can hide playtimes alone. */
function hidesPlaytime({ status, games }: { status: string; games: readonly Game[] }): boolean {
  return status === 'ok' && games.length > 0 && games.every(({ playtime_minutes }) => playtime_minutes === 0)
}

/** Leads to the friends who play a game (MINE-1). */
function CompareLink({ game }: { game: Game }) {
  return (
    <ButtonLink
      to={`/games/${game.id}/friends`}
      state={{ myPlaytime: game.playtime_minutes, gameName: game.name }}
      variant="quiet"
      icon={<UsersRound aria-hidden />}
      className="min-w-0 flex-1 justify-start! px-2! whitespace-nowrap @max-md:items-end! @max-md:pb-1! @max-md:text-xs! @max-md:[&_svg]:hidden"
    >
      {text.compare}
    </ButtonLink>
  )
}

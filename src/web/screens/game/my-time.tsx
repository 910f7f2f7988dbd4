/** The top of a game's page: its picture, my time in it, and what can be done with it (GAME-1, GAME-3). */
import { Download, Play, Store, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import type { GamePage } from '#shared/entities.ts'
import { hoursAndMinutes } from '../../format.ts'
import { useHiddenGames } from '../../data/games.ts'
import { gamePage as text, hiddenGames } from '../../more-messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { GameArt } from '../../ui/game-art.tsx'
import { HideGameButton, HideGameNotice } from '../../ui/hide-game.tsx'
import { ListPlayers } from '../../ui/game-players-listed.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { installOf, launchOf, storeOf } from '../../ui/steam-links.ts'

export function MyTime({ game }: { game: GamePage }) {
  const { appid, mine } = game
  const hiding = useHiddenGames(useSignedIn().steamId)
  const isHidden = hiding.hidden.has(appid)
  return (
    <section
      aria-label={text.mine}
      className="frosted grid items-center overflow-hidden rounded-card md:grid-cols-[minmax(0,26rem)_1fr] lg:col-span-2 min-[110rem]:col-span-1 min-[110rem]:grid-cols-1"
    >
      <GameArt
        game={game}
        className="md:m-5 md:w-auto! md:rounded-control min-[110rem]:m-0 min-[110rem]:rounded-none"
      />
      <div className="grid min-w-0 gap-5 p-5 lg:px-7">
        {mine ? (
          <dl className="flex flex-wrap gap-x-8 gap-y-3 tabular-nums">
            <Figure label={text.total}>{hoursAndMinutes(mine.playtime_minutes)}</Figure>
            <Figure label={text.recent}>{hoursAndMinutes(mine.playtime_2weeks_minutes)}</Figure>
            <Figure label={text.lastPlayed}>
              {mine.last_played_at !== null ? (
                <RelativeTime time={mine.last_played_at} />
              ) : mine.playtime_minutes > 0 ? (
                text.lastUnknown
              ) : (
                text.neverPlayed
              )}
            </Figure>
          </dl>
        ) : (
          <p className="text-lg font-semibold text-soft">{text.notMine}</p>
        )}
        {game.players && (
          <p className="-mt-2 text-sm text-soft">
            <ListPlayers players={game.players} />
          </p>
        )}
        {/* Equal widths, and no text that changes them: what was pressed stays where it is. */}
        <div className="grid grid-cols-2 gap-3">
          {mine && (
            <>
              <ButtonLink to={launchOf(appid)} variant="primary" icon={<Play aria-hidden />}>
                {text.launch} <span className="sr-only">{text.inSteam}</span>
              </ButtonLink>
              <ButtonLink to={installOf(appid)} icon={<Download aria-hidden />}>
                {text.install} <span className="sr-only">{text.inSteam}</span>
              </ButtonLink>
            </>
          )}
          <ButtonLink {...storeOf(appid)} icon={<Store aria-hidden />}>
            {text.store} <span className="sr-only">{text.inNewTab}</span>
          </ButtonLink>
          <ButtonLink
            to={`/games/${appid}/friends`}
            state={{ gameName: game.name, ...(mine && { myPlaytime: mine.playtime_minutes }) }}
            icon={<UsersRound aria-hidden />}
            className="px-3!"
          >
            {text.friendsWhoPlay}
          </ButtonLink>
        </div>
        {mine && (
          <div className="grid gap-1.5">
            <HideGameButton game={game} isHidden={isHidden} onChange={hiding.change} isWide />
            <p className="grid text-xs *:col-start-1 *:row-start-1">
              <span className={isHidden ? 'invisible' : 'text-soft'}>{hiddenGames.about}</span>
              <span className={isHidden ? 'text-violet' : 'invisible'}>{hiddenGames.isHidden}</span>
            </p>
          </div>
        )}
      </div>
      <HideGameNotice last={hiding.last} onChange={hiding.change} />
    </section>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="text-2xl font-bold tracking-tight tabular-nums">{children}</dd>
    </div>
  )
}

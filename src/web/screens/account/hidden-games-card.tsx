/** Games that the user hides from everybody else, and can show again (VIS-6). */
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Eye, Library } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Game } from '#shared/entities.ts'
import { useHiddenGames } from '../../data/games.ts'
import { libraryQueries } from '../../data/library.ts'
import { hiddenGames as texts, group as groupTexts, myGames as myGamesTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { HideGameNotice } from '../../ui/games/hide-game.tsx'
import { Loaded } from '../../ui/frames/loaded.tsx'
import { compareNames } from '#shared/names.ts'
import { Name } from '../../ui/people/name.tsx'

type Hidden = Pick<Game, 'appid' | 'name' | 'image_url'>
/** Shown until all are asked for. */
const SHOWN = 10

export function HiddenGamesCard() {
  const { steamId } = useSignedIn()
  const library = useQuery(libraryQueries.games(steamId))
  const { change, last } = useHiddenGames(steamId)
  const games = useMemo(
    () => (library.data ? gamesOf(library.data.hidden, library.data.games) : []),
    [library.data],
  )
  const [isOpen, setOpen] = useState(false)
  const [isAllShown, showAll] = useState(false)
  const box = useRef<HTMLDivElement>(null)

  return (
    <Card title={texts.title}>
      <div ref={box} tabIndex={-1} className="grid gap-3 focus-visible:outline-none">
        <p className="text-sm text-soft">{texts.hint}</p>
        {library.error && (
          <Loaded query={library} failed={myGamesTexts.failed} skeleton={null}>
            {() => null}
          </Loaded>
        )}
        {/* As tall in all its states: the cards below must not move when the games come. */}
        <p className="min-h-10 text-sm text-soft">
          {library.data &&
            (games.length === 0 ? `${texts.none} ${texts.noneHint}` : texts.count({ games: games.length }))}
        </p>
        {games.length === 0 ? (
          <ButtonLink to="/my_games" className="justify-self-start" icon={<Library aria-hidden />}>
            {texts.toGames}
          </ButtonLink>
        ) : (
          <Button
            className="justify-self-start"
            icon={isOpen ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {texts.list}
          </Button>
        )}
        {isOpen && games.length > 0 && (
          <ul aria-label={texts.title} className="grid divide-y divide-line/50">
            {games.slice(0, isAllShown ? undefined : SHOWN).map((game) => (
              <li key={game.appid} className="flex min-h-16 items-center gap-3 py-2">
                <GameArt game={game} className="w-20 rounded-chip" />
                <Name className="line-clamp-2 min-w-0 flex-1 font-medium">{game.name}</Name>
                <Button
                  variant="quiet"
                  icon={<Eye aria-hidden />}
                  aria-label={texts.showName({ game: game.name })}
                  onClick={() => {
                    change({ game, hide: false })
                    // The button that had the focus is gone with its row.
                    box.current?.focus()
                  }}
                >
                  {texts.show}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {isOpen && games.length > SHOWN && !isAllShown && (
          <Button className="justify-self-start" onClick={() => showAll(true)}>
            {groupTexts.nearMiss.showAll({ count: games.length })}
          </Button>
        )}
      </div>
      <HideGameNotice last={last} onChange={change} />
    </Card>
  )
}

/** By name; one that is not in the library at present is known by its appid only. */
function gamesOf(hidden: readonly number[], games: readonly Hidden[]): Hidden[] {
  const known = new Map(games.map((game) => [game.appid, game]))
  return hidden
    .map((appid) => known.get(appid) ?? { appid, name: texts.unknown({ appid }), image_url: null })
    .sort((a, b) => compareNames(a.name, b.name))
}

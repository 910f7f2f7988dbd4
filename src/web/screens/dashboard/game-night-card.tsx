/**
 * Game night (NIGHT-103): what is planned, what waits for my answer, and starting one. Above all cards, and of one height
 * whatever it shows, so that nothing below it moves.
 */
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { nightListQueries } from '../../data/night-lists.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { GameNights } from './game-nights.tsx'

const texts = messages.dashboard
const HEADING = 'game-night'

export function GameNightCard() {
  const { steamId } = useSignedIn()
  const nights = useQuery(nightListQueries.mine(steamId))
  return (
    <section
      aria-labelledby={HEADING}
      className="frosted flex min-h-14.5 flex-wrap items-center gap-x-1 rounded-card px-4 max-sm:-my-1 sm:gap-x-4 sm:px-5 sm:min-h-20.5 lg:min-h-24.5"
    >
      {/* No heading: it is a line above the nine cards rather than one of them. */}
      <p id={HEADING} className="shrink-0 text-lg font-semibold tracking-tight max-sm:sr-only">
        <Link
          to="/nights"
          className="-my-2 flex min-h-11 items-center gap-1 hover:text-mint-bright max-sm:hidden"
        >
          {texts.gameNight}
          <ChevronRight aria-hidden className="size-5 text-soft" />
        </Link>
        <span className="sm:hidden">{texts.gameNight}</span>
      </p>
      <GameNights nights={nights} labelledBy={HEADING} />
    </section>
  )
}

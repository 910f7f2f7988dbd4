/** A year in six pictures, of the user or of a group (LATELY-5, LATELY-6). */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { CalendarDays, Share2, UsersRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Year } from '#shared/contract/year.ts'
import { roundedHours } from '#shared/playtime.ts'
import { serverNow } from '../../clock.ts'
import { groupsQueries } from '../../data/groups.ts'
import { isNotFound, query } from '../../data/http.ts'
import { keys } from '../../data/keys.ts'
import { linkToYear } from '../../data/nights-outside.ts'
import { formatNumber, formatTime, hoursAndMinutes } from '../../format.ts'
import { ShareLink } from '../../layout/share-link.tsx'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import '../../ui/frames/chart.css'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { GameGridSkeleton } from '../../ui/games/game-grid-skeleton.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Name, nameOf, PersonLink } from '../../ui/people/name.tsx'
import { group as groupTexts, messages, navigation, nightShare, year as texts } from 'virtual:texts'

const nightsText = (nights: number) => texts.nightsOf({ nights })

/** What differs between the year of a user, who has hours, and of a group, which has nights. */
const words = {
  mine: {
    ...texts.mine,
    amount: hoursAndMinutes,
    short: (minutes: number) => formatNumber(roundedHours(minutes)),
  },
  group: { ...texts.ofGroup, amount: nightsText, short: formatNumber },
}
type Words = (typeof words)['mine' | 'group']

const yearQuery = (steamId: string, year: string, id: string | undefined) =>
  queryOptions({
    // Below what happened lately: the same changes it.
    queryKey: [...keys.lately(steamId), year, id],
    queryFn: ({ signal }) =>
      id === undefined
        ? query('GET /api/users/:steamId/year/:year', { params: { steamId, year } }, signal)
        : query('GET /api/groups/:id/year/:year', { params: { id, year } }, signal),
  })

const link = 'inline-flex min-h-11 min-w-0 items-center font-semibold underline-offset-4 hover:underline'

export function YearScreen() {
  const { groupId } = useParams()
  const { steamId } = useSignedIn()
  const [params] = useSearchParams()
  const [isSharing, setSharing] = useState(false)
  const year =
    /^20\d\d$/.exec(params.get('year') ?? '')?.[0] ?? String(new Date(serverNow()).getUTCFullYear())
  const isMine = groupId === undefined
  const enabled = isMine || /^[1-9]\d{0,9}$/.test(groupId)
  const found = useQuery({ ...yearQuery(steamId, year, groupId), enabled })
  const group = useQuery({ ...groupsQueries.detail(Number(groupId)), enabled: enabled && !isMine })
  if (!enabled || isNotFound(found.error) || isNotFound(group.error))
    return (
      <Screen title={groupTexts.title}>
        <EmptyState icon={<UsersRound />}>{groupTexts.gone}</EmptyState>
      </Screen>
    )
  const of = words[isMine ? 'mine' : 'group']
  return (
    <Screen
      title={of.title({ year })}
      action={
        !found.isError && (
          <>
            <Button icon={<Share2 aria-hidden />} aria-haspopup="dialog" onClick={() => setSharing(true)}>
              {nightShare.share}
            </Button>
            <Dialog
              open={isSharing}
              title={texts.share}
              closeLabel={messages.close}
              onClose={() => setSharing(false)}
            >
              <ShareLink link={linkToYear(steamId, year, groupId)} explained={of.shown} />
            </Dialog>
          </>
        )
      }
      lead={
        <nav aria-label={texts.years} className="flex flex-wrap items-center gap-x-5">
          <Link to={isMine ? '/my_games/shelf' : `/groups/${groupId}`} className={`${link} text-ink`}>
            <Name className="line-clamp-1">
              {isMine ? navigation.shelf : (group.data?.name ?? groupTexts.title)}
            </Name>
          </Link>
          {found.data?.years.map((one) => (
            <Link
              key={one}
              to={`?year=${one}`}
              aria-current={String(one) === year ? 'page' : undefined}
              className={`${link} min-w-11 justify-center tabular-nums aria-[current=page]:text-mint`}
            >
              {one}
            </Link>
          ))}
        </nav>
      }
    >
      <Loaded
        query={found}
        failed={texts.failed}
        skeleton={<GameGridSkeleton cards={6} />}
        isEmpty={({ games, nights }) => games.length === 0 && nights.count === 0}
        empty={<EmptyState icon={<CalendarDays />}>{of.nothing}</EmptyState>}
      >
        {(data) => (
          <>
            <p className="-mt-3 text-sm text-soft">{isMine ? unknownOf(data) : texts.onlyNights}</p>
            <Pictures data={data} year={Number(year)} words={of} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}

const unknownOf = ({ since }: Year) =>
  since === null
    ? texts.notCounted
    : texts.since({ date: formatTime(new Date(since), { timeZone: 'UTC', dateStyle: 'long' }) })

function Pictures({ data, year, words }: { data: Year; year: number; words: Words }) {
  const { games, first, people, nights, pick } = data
  return (
    <div className="grid items-stretch gap-5 md:grid-cols-2 xl:grid-cols-6">
      <Card title={words.months} className="md:col-span-2 xl:col-span-4">
        <Months months={data.months} year={year} words={words} />
      </Card>
      <Card title={texts.pick} className="xl:col-span-2">
        {pick ? (
          <GameLink game={pick} className="grid gap-3">
            <GameArt game={pick} className="rounded-control shadow-card" />
            <Figure of={pick.name}>{texts.picked({ nights: pick.nights })}</Figure>
          </GameLink>
        ) : (
          <None>{texts.none}</None>
        )}
      </Card>
      <Card title={words.games} className="xl:col-span-2">
        {games.length === 0 && <None>{texts.none}</None>}
        <ol className="grid gap-2">
          {games.map((game) => (
            <li key={game.appid}>
              <GameLink game={game} className="flex min-h-12 items-center gap-3">
                <GameArt game={game} className="w-24 rounded-chip" />
                <Figure of={game.name} share={game.amount / games[0]!.amount}>
                  {words.amount(game.amount)}
                </Figure>
              </GameLink>
            </li>
          ))}
        </ol>
      </Card>
      <Card title={texts.together} className="xl:col-span-2">
        {people.length === 0 && <None>{texts.none}</None>}
        <ol className="grid gap-2">
          {people.map((person) => (
            <li key={person.steam_id}>
              <PersonLink
                steamId={person.steam_id}
                className="flex min-h-12 items-center gap-3 rounded-chip hover:text-mint-bright"
              >
                <Avatar src={person.avatar_url} size="small" />
                <Figure of={nameOf(person)} share={person.nights / people[0]!.nights}>
                  {nightsText(person.nights)}
                </Figure>
              </PersonLink>
            </li>
          ))}
        </ol>
      </Card>
      <div className="grid gap-5 md:max-xl:col-span-2 md:max-xl:grid-cols-2 xl:col-span-2">
        <Card title={texts.nights}>
          <Large number={nights.count}>
            {nights.count === 0
              ? texts.none
              : texts.average({ people: formatNumber(nights.people, { maximumFractionDigits: 1 }) })}
          </Large>
        </Card>
        <Card title={texts.first}>
          <Large number={first.count}>{words.first}</Large>
          {first.most && (
            <GameLink game={first.most} className="flex min-h-12 items-center gap-3">
              <GameArt game={first.most} className="w-24 rounded-chip" />
              <Figure of={first.most.name}>{texts.mostOfThem}</Figure>
            </GameLink>
          )}
        </Card>
      </div>
    </div>
  )
}

/** Drawn, and said in words; months to come are only drawn. */
function Months({ months, year, words }: { months: Year['months']; year: number; words: Words }) {
  const largest = Math.max(1, ...months.map((amount) => amount ?? 0))
  return (
    <ol
      aria-label={words.months}
      className="grid flex-1 grid-cols-12 gap-1 text-center text-xs tabular-nums sm:gap-2"
    >
      {Array.from({ length: 12 }, (_, nth) => {
        const amount = months[nth]
        const date = Date.UTC(year, nth)
        const name = (month: 'long' | 'narrow') => formatTime(date, { timeZone: 'UTC', month })
        const said = amount === null ? texts.notKnown : words.amount(amount ?? 0)
        return (
          <li
            key={nth}
            aria-hidden={amount === undefined}
            className="grid min-w-0 grid-rows-[auto_1fr_auto] gap-1"
          >
            <span aria-hidden className="-mx-1 whitespace-nowrap max-sm:text-[0.625rem]">
              {amount ? words.short(amount) : <>&nbsp;</>}
            </span>
            <span
              aria-hidden
              title={amount === null ? texts.notKnown : undefined}
              className={`relative min-h-40 rounded-t-chip border-b border-line ${amount === null ? 'bg-[repeating-linear-gradient(135deg,var(--color-line)_0_2px,transparent_2px_9px)]' : ''}`}
            >
              {!!amount && (
                <i
                  className="chart-column absolute inset-x-0 bottom-0 rounded-t-chip bg-linear-to-t from-teal to-mint"
                  style={{ height: `${(100 * amount) / largest}%`, minHeight: 2 }}
                />
              )}
            </span>
            <span aria-hidden className="text-soft">
              {name('narrow')}
            </span>
            <span className="sr-only">{texts.ofMonth({ month: name('long'), amount: said })}</span>
          </li>
        )
      })}
    </ol>
  )
}

const None = ({ children }: { children: string }) => <p className="text-sm text-soft">{children}</p>

type GameLinkProps = { game: { appid: number }; className: string; children: ReactNode }

function GameLink({ game, className, children }: GameLinkProps) {
  return (
    <Link to={`/games/${game.appid}`} className={`min-w-0 rounded-chip hover:text-mint-bright ${className}`}>
      {children}
    </Link>
  )
}

/** A name and what is said of it. @param share of the largest, drawn only */
function Figure({ of, share, children }: { of: string; share?: number; children: string }) {
  return (
    <span className="grid min-w-0 flex-1 gap-0.5 text-sm">
      <Name className="line-clamp-1 font-medium">{of}</Name>
      <span className="text-xs text-soft tabular-nums">{children}</span>
      {share !== undefined && (
        <span aria-hidden className="forced-color-adjust-none h-1 overflow-hidden rounded-round bg-line/60">
          <i className="chart-bar block h-full rounded-round bg-mint" style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </span>
  )
}

function Large({ number, children }: { number: number; children: string }) {
  return (
    <p className="grid gap-1">
      <span className="text-4xl leading-none font-bold tracking-tight tabular-nums">
        {formatNumber(number)}
      </span>
      <span className="text-sm text-soft">{children}</span>
    </p>
  )
}

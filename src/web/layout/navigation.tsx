/**
 * The sidebar (NAV-1): links, the signed-in user and Log Out.
 * Requirements: PAGE-11, NAV-6, PAGE-15.
 */
import { useQuery } from '@tanstack/react-query'
import { Gamepad2, House, Library, LogOut, Moon, Scale, UserRound, UsersRound } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { accountQueries } from '../data/account.ts'
import { groupsQueries } from '../data/groups.ts'
import { nightListQueries } from '../data/night-lists.ts'
import { useLibraryProgress } from '../data/sync.ts'
import { logOut } from '../data/http.ts'
import { nightLists, navigation as text } from 'virtual:texts'
import { useSignedIn } from '../session.ts'
import { Avatar } from '../ui/people/avatar.tsx'
import { LibraryProgress } from '../ui/forms/sync-button.tsx'
import { Name, visibleName } from '../ui/people/name.tsx'
import { Logo } from './logo.tsx'
import { needsMyAnswer } from './nights/night-lists.ts'

/** Links in their order (NAV-1); `current` matches the paths on which a link is the current page. */
const links = [
  { to: '/dashboard', text: text.dashboard, Icon: House, current: /^\/(dashboard)?$/ },
  {
    to: '/my_games',
    text: text.myGames,
    Icon: Library,
    current: /^\/(my_games(\/(shelf|year))?|games\/[^/]+(\/friends)?)$/,
  },
  { to: '/friends', text: text.friends, Icon: UserRound, current: /^\/friends$/ },
  { to: '/groups', text: text.groups, Icon: UsersRound, current: /^\/groups(\/|$)/ },
  { to: '/friends/games', text: text.friendsGames, Icon: Gamepad2, current: /^\/friends\/(.+\/)?games$/ },
  { to: '/games/1/comparison', text: text.gameComparison, Icon: Scale, current: /\/comparison$/ },
  { to: '/nights', text: nightLists.allTitle, Icon: Moon, current: /^\/nights(\/|$)/ },
]

/**
 * The content of the sidebar, and of the overlay on small screens.
 * @param find the button that opens Find, unless it stands elsewhere
 */
export function Navigation({ find }: { find?: ReactNode }) {
  const { pathname } = useLocation()
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  const waiting = useWaiting()
  const badge = useId()
  return (
    <div className="flex min-h-full flex-col gap-6 p-4">
      <div className="px-2">
        <Logo />
      </div>
      {find}
      <nav>
        <ul className="grid gap-1">
          {links.map(({ to, text, Icon, current }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={current.test(path) ? 'page' : undefined}
                aria-describedby={waiting[to] ? badge + to : undefined}
                className={
                  'flex min-h-11 items-center gap-3 rounded-control px-3 text-[0.9375rem] font-medium text-soft ' +
                  'transition hover:bg-raised/60 hover:text-ink aria-[current]:bg-violet-deep/45 aria-[current]:text-ink ' +
                  'aria-[current]:[&_svg]:text-violet'
                }
              >
                <Icon aria-hidden className="size-5 shrink-0" />
                {text}
                {waiting[to] && (
                  <span
                    aria-hidden
                    className="ml-auto min-w-6 rounded-round bg-mint px-1.5 text-center text-xs leading-6 font-bold text-ground tabular-nums"
                  >
                    {waiting[to].count}
                  </span>
                )}
              </Link>
              {/* The link's name stays its text (NAV-1), so the number is its description (NAV-8). */}
              {waiting[to] && (
                <span id={badge + to} hidden>
                  {waiting[to].text}
                </span>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto">
        <Progress />
      </div>
      <div className="-mt-3 grid gap-3">
        <CurrentUser />
        <Footer />
      </div>
    </div>
  )
}

/** What waits for me behind a link: open invitations to groups, and nights that need my answer. */
function useWaiting(): Record<string, { count: number; text: string } | undefined> {
  const { steamId } = useSignedIn()
  const groups = useQuery(groupsQueries.list(steamId)).data ?? []
  const nights = useQuery(nightListQueries.mine(steamId)).data?.nights ?? []
  const invitations = groups.filter((group) => group.joined === false).length
  const answers = nights.filter(needsMyAnswer).length
  return {
    ...(invitations > 0 && {
      '/groups': { count: invitations, text: text.invitations({ count: invitations }) },
    }),
    ...(answers > 0 && { '/nights': { count: answers, text: text.answersWaiting({ count: answers }) } }),
  }
}

/** Progress of syncing friends' libraries; nothing while none is being synced. */
function Progress() {
  const progress = useLibraryProgress(useSignedIn().steamId)
  return progress ? <LibraryProgress {...progress} /> : null
}

function CurrentUser() {
  const { steamId, displayName, avatarUrl } = useSignedIn()
  return (
    <div className="grid gap-2 border-t border-line/60 pt-4">
      <div className="flex items-center gap-3 px-2">
        <Avatar src={avatarUrl} />
        <div className="min-w-0">
          <p className="font-semibold">
            <Name className="line-clamp-2">{visibleName(displayName) ?? text.defaultName}</Name>
          </p>
          <p className="text-xs text-soft tabular-nums">{steamId}</p>
        </div>
      </div>
      <button
        type="button"
        onClick={logOut}
        className="flex min-h-11 items-center gap-3 rounded-control px-3 text-[0.9375rem] font-medium text-soft transition hover:bg-raised/60 hover:text-ink"
      >
        <LogOut aria-hidden className="size-5 shrink-0" />
        {text.logOut}
      </button>
    </div>
  )
}

const footLink = 'inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline'

function Footer() {
  return (
    <div className="flex flex-wrap justify-between gap-x-2 px-2 text-xs text-soft">
      <Link to="/account" className={footLink}>
        {text.account}
      </Link>
      <OperatorLink />
      <SteamLink />
    </div>
  )
}

/** For operators only (OPER-17). Who is one changes only when a server starts. */
function OperatorLink() {
  const settings = accountQueries.settings(useSignedIn().steamId)
  const { data } = useQuery({ ...settings, staleTime: Infinity })
  if (data?.is_operator !== true) return null
  return (
    <Link to="/operator" className={footLink}>
      {text.operator}
    </Link>
  )
}

/** The link that Steam's terms require. */
export function SteamLink() {
  return (
    <a href="https://store.steampowered.com" rel="noreferrer" className={footLink}>
      {text.poweredBySteam}
    </a>
  )
}

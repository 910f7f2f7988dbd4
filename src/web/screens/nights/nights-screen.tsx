/** All game nights of the user, or of a group: the next, the past, who came and what was picked (NIGHT-140). */
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Moon, UsersRound } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { groupsQueries } from '../../data/groups.ts'
import { isNotFound } from '../../data/http.ts'
import { type NightList, nightListQueries, type NightListOf } from '../../data/night-lists.ts'
import { NightParts } from '../../layout/nights/night-parts.tsx'
import { StartNight } from '../../layout/night-start/start-night.tsx'
import { nightLists as text, group as groupTexts, year } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { Name } from '../../ui/people/name.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { ListSkeleton } from '../../ui/frames/skeletons.tsx'

export function NightsScreen() {
  const [params] = useSearchParams()
  const group = params.get('group')
  if (group === null) return <MyNights starts={params.has('start')} />
  return /^[1-9]\d{0,9}$/.test(group) ? <NightsOfGroup key={group} groupId={Number(group)} /> : <NoGroup />
}

/** @param starts opens the dialog that starts a night, as the installed app’s shortcut does */
function MyNights({ starts }: { starts: boolean }) {
  const { steamId } = useSignedIn()
  const nights = useQuery(nightListQueries.mine(steamId))
  return (
    <Screen
      title={text.allTitle}
      action={<StartNight startWith="any" variant="primary" opensAtOnce={starts} />}
    >
      <Nights nights={nights} of={{ steamId }} />
    </Screen>
  )
}

function NightsOfGroup({ groupId }: { groupId: number }) {
  const nights = useQuery(nightListQueries.ofGroup(groupId))
  const { data: group, error } = useQuery(groupsQueries.detail(groupId))
  if (isNotFound(error) || isNotFound(nights.error)) return <NoGroup />
  return (
    <Screen
      title={text.allTitle}
      windowTitle={group && text.ofGroup({ name: group.name })}
      lead={
        <span className="flex min-h-11 flex-wrap items-center gap-x-4">
          {group && (
            <Link
              to={`/groups/${groupId}`}
              className="flex min-h-11 min-w-0 items-center gap-2.5 font-semibold text-ink underline-offset-4 hover:underline"
            >
              <GroupPicture group={group} className="size-8 rounded-chip text-xs" />
              <Name className="line-clamp-1 min-w-0">{group.name}</Name>
            </Link>
          )}
          <Link
            to="/nights"
            className="inline-flex min-h-11 items-center font-semibold text-mint underline-offset-4 hover:underline"
          >
            {text.mine}
          </Link>
          {group?.joined && (
            <Link
              to={`/groups/${groupId}/year`}
              className="inline-flex min-h-11 items-center font-semibold text-mint underline-offset-4 hover:underline"
            >
              {year.toYear}
            </Link>
          )}
        </span>
      }
      action={group?.joined && <StartNight startWith={{ group }} variant="primary" />}
    >
      <Nights nights={nights} of={{ groupId }} />
    </Screen>
  )
}

function Nights({ nights, of }: { nights: UseQueryResult<NightList>; of: NightListOf }) {
  return (
    <Loaded
      query={nights}
      failed={text.failed}
      skeleton={<ListSkeleton />}
      isEmpty={(list) => list.nights.length === 0}
      empty={<EmptyState icon={<Moon />}>{'groupId' in of ? text.noneOfGroup : text.none}</EmptyState>}
    >
      {(list) => <NightParts list={list} of={of} />}
    </Loaded>
  )
}

/** The group does not exist, or the user is not one of its members. */
function NoGroup() {
  return (
    <Screen title={text.allTitle}>
      <EmptyState
        icon={<UsersRound />}
        action={
          <ButtonLink variant="primary" to="/nights">
            {text.mine}
          </ButtonLink>
        }
      >
        {groupTexts.gone}
      </EmptyState>
    </Screen>
  )
}

/** Groups (GLIST-2): the user's groups, invitations and the Create Group form. */
import { useQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { useRef } from 'react'
import { groupsQueries, useInvitationActions } from '../../data/groups.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Invitations } from '../../ui/invitation.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Screen } from '../../ui/screen.tsx'
import { Loading, Skeleton } from '../../ui/skeletons.tsx'
import { CreateGroupCard } from './create-group-card.tsx'
import { GroupCard } from './group-card.tsx'
import { LeftGroups } from './left-groups.tsx'

const texts = messages.groups
const cards = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-5'

export function GroupsScreen() {
  const { steamId } = useSignedIn()
  const groups = useQuery(groupsQueries.list(steamId))
  const left = useQuery(groupsQueries.left(steamId))
  const actions = useInvitationActions(steamId)
  const nameField = useRef<HTMLInputElement>(null)

  return (
    <Screen
      title={texts.title}
      lead={texts.lead}
      action={
        // On narrow screens the form is below all the groups.
        <Button className="xl:hidden" icon={<Plus aria-hidden />} onClick={() => nameField.current?.focus()}>
          {texts.toForm}
        </Button>
      }
    >
      <Invitations groups={groups.data ?? []} actions={actions} rows={3} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-6">
          <section aria-label={texts.list} className="grid min-w-0 gap-4">
            <Loaded
              query={groups}
              failed={texts.failed}
              empty={<EmptyState icon={<UsersRound />}>{texts.empty}</EmptyState>}
              skeleton={<GroupsSkeleton />}
            >
              {(list) => (
                <ul className={cards}>
                  {list.map((group) => (
                    <GroupCard key={group.group_id} group={group} />
                  ))}
                </ul>
              )}
            </Loaded>
          </section>
          <LeftGroups groups={left.data ?? []} />
        </div>
        {/* Below the groups on narrow screens, where it would jump when they come. */}
        <CreateGroupCard nameField={nameField} className={groups.isPending ? 'max-xl:hidden' : ''} />
      </div>
    </Screen>
  )
}

function GroupsSkeleton() {
  return (
    <Loading>
      <div className={cards}>
        {Array.from({ length: 3 }, (_, card) => (
          <div key={card} className="overflow-hidden rounded-card border border-line/60 bg-surface/60">
            <Skeleton className="aspect-[16/9] rounded-none" />
            <div className="grid gap-2.5 p-4">
              <Skeleton className="h-5 w-3/5" />
              <Skeleton className="h-3 w-2/5" />
              <Skeleton className="mt-2 h-9 w-2/5 rounded-round" />
              <Skeleton className="mt-2 h-11 rounded-control" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}

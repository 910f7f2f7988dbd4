/**
 * Groups: the first three in the chosen order, and the group creation wizard (DASH-7, WIZ-1).
 * Requirements: WIZ-13.
 */
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Plus, Users } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Group } from '#shared/entities.ts'
import { DASHBOARD } from '#shared/limits.ts'
import { groupsQueries, useInvitationActions, sortedGroups, type GroupSort } from '../../data/groups.ts'
import { dashboard as texts, groups as groupsTexts, wizard as wizardTexts, invitation } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink, IconButton } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { Select } from '../../ui/forms/field.tsx'
import { GroupPicture, PictureMissing } from '../../ui/people/group-picture.tsx'
import { Invitations } from '../../ui/people/invitation.tsx'
import { Name } from '../../ui/people/name.tsx'
import { Notice } from '../../ui/forms/async-action.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { CreateGroup, type GroupWizard } from './create-group.tsx'
import { rowsOrEmpty, CardEmptyState } from './card-empty-state.tsx'
import type { NewGroup } from '../../layout/new-group-form.tsx'

/** The card. The dashboard owns the wizard's state, because other cards open the wizard too. */
export function GroupsCard({
  wizard,
  made,
  className,
}: {
  wizard: GroupWizard
  /** The group that the wizard made last. */
  made: NewGroup | undefined
  className?: string
}) {
  const { steamId } = useSignedIn()
  const query = useQuery(groupsQueries.list(steamId))
  const groups = rowsOrEmpty(query, (list) => list)
  const [sort, setSort] = useState<GroupSort>('size')
  const plus = useRef<HTMLButtonElement>(null)
  const isOpen = wizard.state.step !== 'closed'

  // When the wizard closes, the focus returns to the + button.
  useEffect(() => {
    const button = plus.current
    return isOpen ? () => button?.focus() : undefined
  }, [isOpen])

  return (
    <Card
      title={texts.groups}
      className={className}
      action={
        <div className="flex min-w-0 gap-2">
          {groups && groups.length > 1 && (
            <Select
              label={texts.groupSort}
              hideLabel
              className="min-w-0"
              options={groupsTexts.sort}
              value={sort}
              onChange={setSort}
            />
          )}
          <IconButton
            label={texts.createGroup}
            ref={plus}
            onClick={wizard.open}
            className="bg-raised text-mint"
          >
            <Plus aria-hidden />
          </IconButton>
        </div>
      }
    >
      <Notice tone="success">{wizard.message}</Notice>
      <PictureMissing src={wizard.picture} />
      <CreateGroup wizard={wizard} />
      {made && !isOpen && (
        <ButtonLink
          to={`/groups/${made.groupId}`}
          variant="primary"
          icon={<ArrowRight aria-hidden />}
          className="self-start"
        >
          <span className="min-w-0">
            <Sentence
              text={wizardTexts.openGroup}
              values={{ group: <Name className="line-clamp-1">{made.name}</Name> }}
            />
          </span>
        </ButtonLink>
      )}
      {groups?.length === 0 ? (
        <CardEmptyState query={query} icon={<Users />}>
          {texts.groupsEmpty}
        </CardEmptyState>
      ) : (
        <ul className="-mx-2 grid flex-1 content-start">
          {groups
            ? sortedGroups(groups, sort)
                .slice(0, DASHBOARD.groups)
                .map((group) => <GroupRow key={group.group_id} group={group} />)
            : Array.from({ length: DASHBOARD.groups }, (_, row) => (
                <li key={row} aria-hidden className="flex min-h-15 items-center gap-3.5 px-2.5">
                  <Skeleton className="size-12 rounded-control" />
                  <Skeleton className="h-4 w-1/2" />
                </li>
              ))}
        </ul>
      )}
      <ButtonLink to="/groups" icon={<Users aria-hidden />}>
        {texts.viewAllGroups}
      </ButtonLink>
    </Card>
  )
}

/** The user's invitations, above all cards (DASH-1). */
export function DashboardInvitations() {
  const { steamId } = useSignedIn()
  const { data } = useQuery(groupsQueries.list(steamId))
  const actions = useInvitationActions(steamId)
  return <Invitations groups={data ?? []} actions={actions} rows={1} />
}

function GroupRow({ group }: { group: Group }) {
  return (
    <li>
      <Link
        to={`/groups/${group.group_id}`}
        className="block rounded-control px-2.5 py-1.5 transition hover:bg-raised/60"
      >
        <span className="flex min-h-12 items-center gap-3.5">
          <GroupPicture group={group} className="size-12 rounded-control" />
          <span className="grid min-w-0">
            <Name className="line-clamp-1 font-medium">{group.name}</Name>
            {/* The count may be missing in a response (DASH-7). */}
            {typeof group.member_count === 'number' && (
              <span className="text-sm text-soft tabular-nums">
                {groupsTexts.members({ count: group.member_count })}
              </span>
            )}
            {group.joined === false && <span className="text-sm text-violet">{invitation.notJoined}</span>}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** Groups (GLIST-2), the Create Group form (GLIST-3), and those that the user left (MEM-12, GLIST-10). */
import { useQuery } from '@tanstack/react-query'
import { Plus, UsersRound, UserPlus } from 'lucide-react'
import { useRef, useEffect, useState, type RefObject, useId } from 'react'
import { groupsQueries, useInvitationActions, useSetGroupPicture, useJoinGroup } from '../../data/groups.ts'
import { messages, groups as texts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { Button } from '../../ui/forms/button.tsx'
import { EmptyState, Loaded } from '../../ui/frames/loaded.tsx'
import { Invitations } from '../../ui/people/invitation.tsx'
import { Screen } from '../../ui/frames/screen.tsx'
import { Loading, Skeleton } from '../../ui/frames/skeletons.tsx'
import { GroupCard } from './group-card.tsx'
import { useNavigate } from 'react-router'
import { failureText, isNotFound } from '../../data/http.ts'
import { Card } from '../../ui/frames/card.tsx'
import { NewGroupForm, type NewGroup } from '../../layout/new-group-form.tsx'
import { PictureField, type ChosenPicture } from '../../ui/forms/picture-field.tsx'
import type { LeftGroup } from '#shared/entities.ts'
import { useFocusWhenSet, useWasEverTrue } from '../../ui/focus.ts'
import { Name } from '../../ui/people/name.tsx'
import { Notice, OutcomeNotice, useAsyncAction, type Outcome } from '../../ui/forms/async-action.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'

const cards = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,16rem),1fr))] gap-5 *:only:max-w-[28rem]'

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

/** The form; it leads to the new group. */
function CreateGroupCard({
  nameField,
  className = '',
}: {
  nameField: RefObject<HTMLInputElement | null>
  className?: string
}) {
  const { steamId } = useSignedIn()
  const navigate = useNavigate()
  const picture = useSetGroupPicture(steamId)
  const [chosen, setChosen] = useState<ChosenPicture>()
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])

  async function open({ groupId }: NewGroup) {
    const pictureFailure = chosen && (await upload(groupId, chosen.file))
    // Not if the user has navigated elsewhere meanwhile.
    if (isHere.current) await navigate(`/groups/${groupId}`, { state: { pictureFailure } })
  }

  /** The group exists even if the upload fails, so a failure is passed to the group's page. */
  async function upload(groupId: number, file: File): Promise<string | undefined> {
    try {
      await picture.mutateAsync({ groupId, picture: file })
      return undefined
    } catch (error) {
      return failureText(error, messages.somethingWrong)
    }
  }

  return (
    <Card title={texts.create} className={`xl:sticky xl:top-8 ${className}`}>
      <NewGroupForm
        texts={texts}
        required="form"
        nameField={nameField}
        icon={<Plus aria-hidden />}
        // A file that is not an image has its own message and must be replaced or removed first (GLIST-3).
        mayCreate={() => chosen?.problem === undefined}
        onCreated={open}
      >
        <PictureField label={messages.picture.label} chosen={chosen} onChange={setChosen} />
        <p className="text-sm text-soft">{texts.alone}</p>
      </NewGroupForm>
    </Card>
  )
}

const left = texts.left

/** The outcome of a row that is gone, shown above the list. */
type Ended = { group: LeftGroup } | { failure: Outcome }

/** The card; nothing if the user has left no group. */
function LeftGroups({ groups }: { groups: readonly LeftGroup[] }) {
  const [ended, setEnded] = useState<Ended>()
  const box = useFocusWhenSet<HTMLDivElement>(ended)
  const wasEver = useWasEverTrue(groups.length > 0)
  if (!wasEver) return null
  return (
    <Card title={left.title}>
      <div ref={box} tabIndex={-1} className="grid gap-3 focus-visible:outline-none">
        <Notice tone="success">
          {ended && 'group' in ended && (
            <Sentence text={left.back} values={{ group: <Name>{ended.group.name}</Name> }} />
          )}
        </Notice>
        <OutcomeNotice outcome={ended && 'failure' in ended ? ended.failure : undefined} />
        {groups.length > 0 && (
          <>
            <p className="text-sm text-soft">{left.hint}</p>
            <ul
              aria-label={left.title}
              className="-mx-2 grid max-h-[24rem] gap-1 overflow-y-auto overscroll-contain px-2"
            >
              {groups.map((group) => (
                <Row key={group.group_id} group={group} onEnd={setEnded} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Card>
  )
}

function Row({ group, onEnd }: { group: LeftGroup; onEnd: (ended: Ended) => void }) {
  const { steamId } = useSignedIn()
  const joining = useJoinGroup(steamId)
  const task = useAsyncAction()
  const id = useId()

  function comeBack() {
    void task.start(async (): Promise<Outcome | undefined> => {
      try {
        await joining.mutateAsync(group.group_id)
        onEnd({ group })
        return undefined
      } catch (error) {
        const isGone = isNotFound(error)
        const failure: Outcome = {
          tone: 'error',
          text: left.comeBackFailed,
          reason: isGone ? left.gone : failureText(error, messages.somethingWrong),
        }
        if (!isGone) return failure
        onEnd({ failure })
        return undefined
      }
    })
  }

  return (
    <li className="grid min-w-0 gap-2 py-1">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p id={id} className="min-w-0 flex-1 basis-40 leading-snug font-medium">
          <Name className="line-clamp-2">{group.name}</Name>
        </p>
        <Button
          icon={<UserPlus aria-hidden />}
          aria-describedby={id}
          busy={task.busy}
          busyLabel={left.comingBack}
          onClick={comeBack}
        >
          {left.comeBack}
        </Button>
      </div>
      <OutcomeNotice outcome={task.outcome} />
    </li>
  )
}

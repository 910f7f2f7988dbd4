/** The group creation wizard in its card: what `wizard.ts` decides, with its calls and its looks (WIZ-1). */
import { useQuery } from '@tanstack/react-query'
import { Check, ImagePlus, UserPlus, X } from 'lucide-react'
import { useCallback, useEffect, useReducer, useRef, useState, type FormEvent } from 'react'
import { GROUP_NAME_MAX } from '#shared/limits.ts'
import { friendsQueries } from '../../data/friends.ts'
import { useAddMembers, useCreateGroup, useSetGroupPicture } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { useAsyncAction, useForgottenAtNextAction } from '../../ui/async-action.tsx'
import { Avatar, presenceOf } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { isTooLong } from '../../ui/characters.ts'
import { TextField } from '../../ui/field.tsx'
import { isCalled, Name, nameOf } from '../../ui/name.tsx'
import {
  canAddMembers,
  closedWizard,
  pictureToSet,
  wizardAfter,
  type Wizard,
  type WizardEvent,
} from './wizard.ts'

const texts = messages.wizard

export type GroupWizard = {
  state: Wizard
  /** Opens it at the name step, whatever it showed before. */
  open: () => void
  cancel: () => void
  tell: (event: WizardEvent) => void
  /** The calls of the steps; each step sends its own once at a time. */
  create: () => Promise<void>
  addMembers: () => Promise<void>
  setPicture: () => Promise<void>
  /** What was achieved last; outlives the wizard where it closes with success. */
  message: string | undefined
}

/** The wizard's state and calls. */
export function useGroupWizard(): GroupWizard {
  const { steamId } = useSignedIn()
  const [state, tell] = useReducer(wizardAfter, closedWizard)
  const creation = useCreateGroup(steamId)
  const addition = useAddMembers(steamId)
  const picture = useSetGroupPicture(steamId)
  const { opening } = state
  useForgottenAtNextAction(useCallback(() => tell({ type: 'successSeen' }), []))

  async function create() {
    if (state.step !== 'name') return
    tell({ type: 'sent' })
    try {
      const { group_id, name } = await creation.mutateAsync(state.name)
      tell({ type: 'created', opening, group: { groupId: group_id, name } })
    } catch (error) {
      tell({ type: 'createFailed', opening, error: failureText(error, messages.groups.createFailed) })
    }
  }

  async function addMembers() {
    if (state.step !== 'members' || !canAddMembers(state)) return
    tell({ type: 'sent' })
    try {
      await addition.mutateAsync({ groupId: state.group.groupId, steamIds: [...state.chosen] })
    } catch {
      // WIZ-10: errors of Add Members are ignored here; the group's page shows who is in.
    }
    tell({ type: 'membersSettled', opening })
  }

  async function setPicture() {
    const url = pictureToSet(state)
    if (state.step !== 'picture' || url === undefined) return
    tell({ type: 'sent' })
    try {
      const { picture_loaded } = await picture.mutateAsync({ groupId: state.group.groupId, picture: url })
      tell({ type: 'pictureSet', opening, missing: picture_loaded === false })
    } catch (error) {
      const { pictureFailed } = messages.group
      tell({ type: 'pictureFailed', opening, error: `${pictureFailed} ${failureText(error, '')}`.trim() })
    }
  }

  return {
    state,
    tell,
    open: () => tell({ type: 'opened' }),
    cancel: () => tell({ type: 'cancelled' }),
    create,
    addMembers,
    setPicture,
    message: messageOf(state),
  }
}

function messageOf(state: Wizard): string | undefined {
  if (state.step === 'closed') {
    if (!state.pictureUpdated) return undefined
    return state.pictureMissing
      ? `${texts.pictureUpdated} ${messages.picture.notLoaded}`
      : texts.pictureUpdated
  }
  return state.step === 'name' ? undefined : texts.created(state.group.name)
}

/** The open wizard; nothing while it is closed. */
export function CreateGroup({ wizard }: { wizard: GroupWizard }) {
  const { state } = wizard
  if (state.step === 'closed') return null
  const number = { name: 1, members: 2, picture: 3 }[state.step]
  const title = texts.step(number, texts.steps[number - 1]!)

  return (
    <div
      role="group"
      aria-label={title}
      className="animate-enter grid gap-4 rounded-control border border-violet/40 bg-deep/60 p-4"
      // Escape closes what opened (LOOK-18).
      onKeyDown={(event) => event.key === 'Escape' && wizard.cancel()}
    >
      <div className="flex items-center justify-between gap-3">
        <div aria-hidden className="grid flex-1 gap-2">
          <p className="text-sm font-medium">{title}</p>
          <div className="flex gap-1.5">
            {texts.steps.map((step, index) => (
              <i
                key={step}
                className={`h-1.5 flex-1 rounded-round ${index < number ? 'bg-violet' : 'bg-raised'}`}
              />
            ))}
          </div>
        </div>
        <IconButton label={texts.cancel} onClick={wizard.cancel}>
          <X aria-hidden />
        </IconButton>
      </div>
      {/* A new opening is a new form: nothing of the earlier one stays. */}
      {state.step === 'name' && <NameStep key={state.opening} wizard={wizard} state={state} />}
      {state.step === 'members' && <MembersStep wizard={wizard} state={state} />}
      {state.step === 'picture' && <PictureStep wizard={wizard} state={state} />}
    </div>
  )
}

type Step<Name extends Wizard['step']> = { wizard: GroupWizard; state: Extract<Wizard, { step: Name }> }

function NameStep({ wizard, state }: Step<'name'>) {
  const form = useFocusWithin<HTMLFormElement>()
  const { busy, run } = useStep(wizard.create)
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isTooLong(state.name, GROUP_NAME_MAX)) event.currentTarget.querySelector('input')?.focus()
    else run()
  }
  return (
    <form ref={form} onSubmit={submit} className="grid gap-4">
      <TextField
        label={texts.name}
        placeholder={texts.namePlaceholder}
        required
        maxCharacters={GROUP_NAME_MAX}
        autoComplete="off"
        value={state.name}
        error={state.error}
        onChange={(event) => wizard.tell({ type: 'nameTyped', name: event.target.value })}
      />
      <Button type="submit" variant="primary" busy={busy} busyLabel={texts.creating}>
        {texts.create}
      </Button>
    </form>
  )
}

function MembersStep({ wizard, state }: Step<'members'>) {
  const { steamId } = useSignedIn()
  const friends = useQuery(friendsQueries.stored(steamId)).data?.friends ?? []
  const [search, setSearch] = useState('')
  const box = useFocusWithin<HTMLDivElement>()
  const { busy, run } = useStep(wizard.addMembers)
  const shown = friends.filter((friend) => isCalled(friend, search))

  return (
    <div ref={box} className="grid gap-4">
      {friends.length === 0 ? (
        <p className="text-sm text-soft">{texts.nobody}</p>
      ) : (
        <>
          <TextField
            label={texts.search}
            hideLabel
            type="search"
            placeholder={messages.friendSearch.placeholder}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <div
            role="group"
            aria-label={texts.choose}
            className="grid max-h-64 gap-1 overflow-y-auto overscroll-contain"
          >
            {shown.map((friend) => (
              <button
                key={friend.steam_id}
                type="button"
                aria-pressed={state.chosen.includes(friend.steam_id)}
                onClick={() => wizard.tell({ type: 'memberToggled', steamId: friend.steam_id })}
                className="flex min-h-12 min-w-0 items-center gap-3 rounded-chip px-2.5 py-1 text-left text-sm transition hover:bg-raised/70 focus-visible:-outline-offset-2 aria-pressed:bg-violet-deep/50"
              >
                <Avatar src={friend.avatar_url} size="small" presence={presenceOf(friend)} />
                <span className="min-w-0 flex-1">
                  <Name className="line-clamp-1">{nameOf(friend)}</Name>
                </span>
                {state.chosen.includes(friend.steam_id) && (
                  <Check aria-hidden className="size-5 shrink-0 text-mint" />
                )}
              </button>
            ))}
            {shown.length === 0 && <p className="p-2 text-sm text-soft">{messages.friendSearch.empty}</p>}
          </div>
        </>
      )}
      <div className="flex flex-wrap items-center gap-1">
        <Button
          variant="primary"
          icon={<UserPlus aria-hidden />}
          className="grow whitespace-nowrap"
          disabled={!canAddMembers(state)}
          busy={busy}
          busyLabel={texts.adding}
          onClick={run}
        >
          {texts.addMembers}
        </Button>
        <Button variant="quiet" onClick={wizard.cancel}>
          {texts.skip}
        </Button>
      </div>
    </div>
  )
}

function PictureStep({ wizard, state }: Step<'picture'>) {
  const form = useFocusWithin<HTMLFormElement>()
  const { busy, run } = useStep(wizard.setPicture)
  return (
    // Without an address the button does nothing (WIZ-11), and says nothing about the address's form either.
    <form ref={form} noValidate onSubmit={submitting(run)} className="grid gap-4">
      <TextField
        label={texts.pictureUrl}
        type="url"
        placeholder="https://"
        autoComplete="off"
        value={state.url}
        error={state.error}
        hint={texts.pictureHint}
        onChange={(event) => wizard.tell({ type: 'urlTyped', url: event.target.value })}
      />
      <div className="flex flex-wrap items-center gap-1">
        <Button
          type="submit"
          variant="primary"
          icon={<ImagePlus aria-hidden />}
          className="grow whitespace-nowrap"
          busy={busy}
          busyLabel={texts.setting}
        >
          {texts.setPicture}
        </Button>
        <Button variant="quiet" onClick={wizard.cancel}>
          {texts.skip}
        </Button>
      </div>
    </form>
  )
}

/** Puts the focus on the first control of a step when it appears; the one that had it is gone. */
function useFocusWithin<Element extends HTMLElement>() {
  const box = useRef<Element>(null)
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input, button:not(:disabled)')?.focus()
  }, [])
  return box
}

/** The call of a step. Each step has its own, so that one of a wizard that was closed does not hold up the next. */
function useStep(send: () => Promise<void>) {
  const { busy, start } = useAsyncAction()
  return {
    busy,
    run: () =>
      void start(async () => {
        await send()
        return undefined
      }),
  }
}

function submitting(run: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    run()
  }
}

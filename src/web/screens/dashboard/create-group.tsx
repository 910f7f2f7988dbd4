/**
 * The group creation wizard (WIZ-1): the state of `wizard.ts`, its requests and its forms.
 * Requirements: NIGHT-131.
 */
import { useQuery } from '@tanstack/react-query'
import { ImagePlus, UserPlus, X } from 'lucide-react'
import { useCallback, useEffect, useReducer, useRef, useState, type FormEvent } from 'react'
import { friendsQueries } from '../../data/friends.ts'
import { useAddMembers, useSetGroupPicture } from '../../data/groups.ts'
import { failureText } from '../../data/http.ts'
import { InviteByLink } from '../../layout/invite/invite-by-link.tsx'
import { wizard as texts, group as groupTexts } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { useAsyncAction, useDismissLater, useDismissOnNextAction } from '../../ui/forms/async-action.tsx'
import { Button, IconButton } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { NewGroupForm } from '../../layout/new-group-form.tsx'
import { Skeleton } from '../../ui/frames/skeletons.tsx'
import { pickers } from './pickers.ts'
import {
  canAddMembers,
  initialWizard,
  pictureToSet,
  wizardReducer,
  type Wizard,
  type WizardAction,
} from './wizard.ts'

export type GroupWizard = {
  state: Wizard
  /** Opens it at the name step and clears any earlier state. */
  open: () => void
  cancel: () => void
  dispatch: (action: WizardAction) => void
  /** The requests of the last two steps; the form of the first sends its own. */
  addMembers: () => Promise<void>
  setPicture: () => Promise<void>
  /** The success notice; stays after the wizard closes with success. */
  message: string | undefined
  /** The picture that was set last, as this server serves it. */
  picture: string | null | undefined
}

/** The wizard's state and requests. */
export function useGroupWizard(): GroupWizard {
  const { steamId } = useSignedIn()
  const [state, dispatch] = useReducer(wizardReducer, initialWizard)
  const addition = useAddMembers(steamId)
  const picture = useSetGroupPicture(steamId)
  const [shown, setShown] = useState<string | null>()
  const { opening } = state
  const dismiss = useCallback(() => dispatch({ type: 'successDismissed' }), [])
  useDismissOnNextAction(dismiss)
  useDismissLater(state.step === 'closed' && state.pictureUpdated, dismiss)

  async function addMembers() {
    if (state.step !== 'members' || !canAddMembers(state)) return
    dispatch({ type: 'sent' })
    try {
      await addition.mutateAsync({ groupId: state.group.groupId, steamIds: [...state.chosen] })
    } catch {
      // Errors of Add Members are ignored (WIZ-7); the group's page shows the members.
    }
    dispatch({ type: 'membersSettled', opening })
  }

  async function setPicture() {
    const url = pictureToSet(state)
    if (state.step !== 'picture' || url === undefined) return
    dispatch({ type: 'sent' })
    try {
      setShown((await picture.mutateAsync({ groupId: state.group.groupId, picture: url })).picture_image_url)
      dispatch({ type: 'pictureSet', opening })
    } catch (error) {
      const { pictureFailed } = groupTexts
      dispatch({ type: 'pictureFailed', opening, error: `${pictureFailed} ${failureText(error, '')}`.trim() })
    }
  }

  return {
    state,
    dispatch,
    open: () => {
      setShown(undefined)
      dispatch({ type: 'opened' })
    },
    cancel: () => dispatch({ type: 'cancelled' }),
    addMembers,
    setPicture,
    message: messageOf(state),
    picture: state.step === 'closed' ? shown : undefined,
  }
}

function messageOf(state: Wizard): string | undefined {
  if (state.step === 'closed') {
    if (!state.pictureUpdated) return undefined
    return texts.pictureUpdated
  }
  return state.step === 'name' ? undefined : texts.created({ name: state.group.name })
}

/** The wizard; nothing while it is closed. */
export function CreateGroup({ wizard }: { wizard: GroupWizard }) {
  const { state } = wizard
  if (state.step === 'closed') return null
  const number = { name: 1, members: 2, picture: 3 }[state.step]
  const title = texts.step({ step: number, title: texts.steps[number - 1]! })

  return (
    <div
      role="group"
      aria-label={title}
      className="animate-enter grid gap-4 rounded-control border border-violet/40 bg-deep/60 p-4"
      // Escape closes it (LOOK-16), but in a dialog above it that dialog.
      onKeyDown={(event) => event.key === 'Escape' && !isInDialog(event.target) && wizard.cancel()}
    >
      <div className="flex items-center justify-between gap-3">
        <div aria-hidden className="grid flex-1 gap-2">
          <p className="text-sm font-medium">{title}</p>
          <div className="flex gap-1.5">
            {texts.steps.map((step, index) => (
              <i
                key={step}
                className={`forced-color-adjust-none h-1.5 flex-1 rounded-round ${index < number ? 'bg-violet' : 'bg-raised'}`}
              />
            ))}
          </div>
        </div>
        <IconButton label={texts.cancel} onClick={wizard.cancel}>
          <X aria-hidden />
        </IconButton>
      </div>
      {/* The key resets the form when the wizard is opened again. */}
      {state.step === 'name' && <NameStep key={state.opening} wizard={wizard} state={state} />}
      {state.step === 'members' && <MembersStep wizard={wizard} state={state} />}
      {state.step === 'picture' && <PictureStep wizard={wizard} state={state} />}
    </div>
  )
}

const isInDialog = (target: EventTarget) => target instanceof Element && target.closest('dialog') !== null

type Step<Name extends Wizard['step']> = { wizard: GroupWizard; state: Extract<Wizard, { step: Name }> }

function NameStep({ wizard, state: { opening } }: Step<'name'>) {
  const form = useFocusWithin<HTMLDivElement>()
  return (
    <div ref={form} className="max-w-xl">
      <NewGroupForm
        texts={texts}
        required="browser"
        onCreated={(group) => wizard.dispatch({ type: 'created', opening, group })}
      />
    </div>
  )
}

function MembersStep({ wizard, state }: Step<'members'>) {
  const { steamId } = useSignedIn()
  const list = useQuery(friendsQueries.stored(steamId))
  const friends = list.data?.friends ?? []
  const PeoplePicker = useQuery(pickers).data?.PeoplePicker
  const isReady = !list.isPending && (friends.length === 0 || PeoplePicker !== undefined)
  const box = useFocusWithin<HTMLDivElement>(isReady)
  const { busy, run } = useStep(wizard.addMembers)

  return (
    <div ref={box} className="grid gap-4">
      {isReady && friends.length === 0 && <p className="text-sm text-soft">{texts.noFriends}</p>}
      {!isReady && <Skeleton className="h-88 rounded-control" />}
      {friends.length > 0 && PeoplePicker && (
        <PeoplePicker
          friends={friends}
          chosen={state.chosen}
          onToggle={(steamId) => wizard.dispatch({ type: 'memberToggled', steamId })}
          label={texts.search}
          listLabel={texts.choose}
        />
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
        <InviteByLink target={{ kind: 'group', id: state.group.groupId }} />
      </div>
    </div>
  )
}

function PictureStep({ wizard, state }: Step<'picture'>) {
  const form = useFocusWithin<HTMLFormElement>()
  const { busy, run } = useStep(wizard.setPicture)
  return (
    // Without a URL the button does nothing (WIZ-11), so the browser must not complain about its format either.
    <form ref={form} noValidate onSubmit={submitting(run)} className="grid max-w-xl gap-4">
      <TextField
        label={texts.pictureUrl}
        type="url"
        placeholder="https://"
        autoComplete="off"
        value={state.url}
        error={state.error}
        hint={texts.pictureHint}
        onChange={(event) => wizard.dispatch({ type: 'urlTyped', url: event.target.value })}
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

/** Focuses the first control of a step once it is there, because the control that had the focus is gone. */
function useFocusWithin<Element extends HTMLElement>(isReady = true) {
  const box = useRef<Element>(null)
  useEffect(() => {
    if (isReady) box.current?.querySelector<HTMLElement>('input, button:not(:disabled)')?.focus()
  }, [isReady])
  return box
}

/** The request of a step. Each step has its own action, so that a pending one of a closed wizard blocks nothing. */
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

/** Hiding a game from everybody else (VIS-6): the button, and the notice that can undo it. */
import { Eye, EyeOff, X } from 'lucide-react'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { hiddenGames as text } from 'virtual:texts'
import { useDismissLater, useDismissOnNextAction } from '../forms/async-action.tsx'
import { Button, IconButton } from '../forms/button.tsx'
import { Name } from '../people/name.tsx'
import { Sentence } from '../words/sentence.tsx'

type Named = { appid: number; name: string }
type Change<Game extends Named> = { game: Game; hide: boolean }

/**
 * Hides a game, or shows it again.
 * @param isWide whether there is room for words; otherwise it is an icon
 */
export function HideGameButton<Game extends Named>({
  game,
  isHidden,
  onChange,
  isWide = false,
}: {
  game: Game
  isHidden: boolean
  onChange: (change: Change<Game>) => void
  isWide?: boolean
}) {
  const change = () => onChange({ game, hide: !isHidden })
  // The icon says what pressing does.
  const icon = isHidden ? <Eye aria-hidden /> : <EyeOff aria-hidden />
  const label = isHidden ? text.showName({ game: game.name }) : text.hideName({ game: game.name })
  if (isWide)
    return (
      <Button variant="quiet" icon={icon} aria-label={label} onClick={change}>
        {isHidden ? text.show : text.hide}
      </Button>
    )
  return (
    <IconButton label={label} onClick={change} className={isHidden ? 'bg-violet-deep/45 text-violet!' : ''}>
      {icon}
    </IconButton>
  )
}

/**
 * What became of the latest change, over the page so that nothing moves. Mounted always, once for each screen that can
 * hide games: screen readers announce only what appears in a known region.
 */
export function HideGameNotice<Game extends Named>({
  last,
  onChange,
}: {
  /** `at` tells changes apart, `failure` is why it failed. */
  last: (Change<Game> & { at: number; failure: string | undefined }) | undefined
  onChange: (change: Change<Game>) => void
}) {
  const [dismissedAt, setDismissedAt] = useState(0)
  const shown = last && last.at !== dismissedAt ? last : undefined
  const box = useRef<HTMLDivElement>(null)
  const giveFocusBack = useNextTabStop(box, shown?.at)
  const dismiss = () => {
    giveFocusBack()
    setDismissedAt(last?.at ?? 0)
  }
  return (
    <div
      ref={box}
      role={shown?.failure === undefined ? 'status' : 'alert'}
      className="pointer-events-none fixed inset-x-0 bottom-0 z-30 flex justify-center p-4 lg:pl-[17.5rem]"
    >
      {shown && (
        <NoticeOf
          key={shown.at}
          last={shown}
          onUndo={() => {
            giveFocusBack()
            onChange({ game: shown.game, hide: !shown.hide })
          }}
          onDismiss={dismiss}
        />
      )}
    </div>
  )
}

/**
 * Makes the buttons of the notice the next tab stops after the button that was pressed: the notice itself is at the end
 * of the page (VIS-6). The focus stays where it is until Tab is pressed.
 * @param change tells changes apart; undefined while there is no notice
 * @returns gives the focus back to the pressed button if the notice has it
 */
function useNextTabStop(box: RefObject<HTMLElement | null>, change: number | undefined): () => void {
  const pressed = useRef<HTMLElement>(null)
  const hasFocus = () => box.current?.contains(document.activeElement) ?? false
  const giveFocusBack = () => {
    if (hasFocus()) pressed.current?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (change === undefined) return
    if (document.activeElement instanceof HTMLElement) pressed.current = document.activeElement
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Tab' || !pressed.current?.isConnected) return
      const buttons = box.current?.querySelectorAll('button') ?? []
      const { activeElement } = document
      if (!event.shiftKey && activeElement === pressed.current) {
        event.preventDefault()
        buttons[0]?.focus()
      } else if (event.shiftKey && activeElement === buttons[0]) {
        event.preventDefault()
        pressed.current.focus()
      } else if (!event.shiftKey && activeElement === buttons[buttons.length - 1]) {
        // The browser moves on from there.
        pressed.current.focus()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [box, change])
  return giveFocusBack
}

function NoticeOf({
  last: { game, hide, failure },
  onUndo,
  onDismiss,
}: {
  last: Change<Named> & { failure: string | undefined }
  onUndo: () => void
  onDismiss: () => void
}) {
  const [dismiss] = useState(() => onDismiss)
  useDismissOnNextAction(dismiss)
  const [isInUse, setInUse] = useState(false)
  useDismissLater(failure === undefined && !isInUse, dismiss)
  const hasFailed = failure !== undefined
  const said = hasFailed ? (hide ? text.hideFailed : text.showFailed) : hide ? text.wasHidden : text.wasShown
  return (
    <div
      onFocus={() => setInUse(true)}
      onBlur={() => setInUse(false)}
      className={`animate-enter pointer-events-auto flex max-w-2xl items-center gap-2 rounded-card border bg-deep py-2 pr-2 pl-4 text-sm shadow-card ${
        hasFailed ? 'border-rose/40' : 'border-line'
      }`}
    >
      <p className="min-w-0">
        <Sentence text={said} values={{ game: <Name className="font-semibold">{game.name}</Name> }} />{' '}
        {hasFailed && <span className="text-rose">{failure}</span>}
      </p>
      {!hasFailed && (
        <Button variant="quiet" className="shrink-0 text-mint!" onClick={onUndo}>
          {text.undo}
        </Button>
      )}
      <IconButton label={text.dismiss} onClick={onDismiss}>
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

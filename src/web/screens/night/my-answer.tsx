/** My answer: in, maybe or out, and a word with it (NIGHT-82). */
import { MessageSquareText } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { NIGHT_WORD_MAX } from '#shared/limits.ts'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { type Night, useAnswerNight } from '../../data/nights.ts'
import { nights } from 'virtual:texts'
import { OutcomeNotice, type Outcome, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Button, IconButton } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/frames/card.tsx'
import { isTooLong } from '../../ui/forms/required-text.ts'
import { ConfirmDialog } from '../../ui/frames/dialog.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { Name, nameOf } from '../../ui/people/name.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { anchors } from './night-view.ts'
import { AFTER_KEY_MS, AnswerChoice } from './answer-choice.tsx'

const text = nights.answer
const ANSWERS = ['in', 'maybe', 'out'] as const
const look = {
  group: 'flex-1',
  // Of the same width, unless a word needs more.
  row: 'grid-cols-[repeat(3,minmax(min-content,1fr))] xl:gap-1!',
  option: 'flex min-h-12 flex-wrap justify-center gap-x-1 px-1 text-sm',
  icon: 'size-5 max-sm:hidden xl:max-2xl:hidden',
}

export function MyAnswer({ night }: { night: Night }) {
  const { my } = night
  const answering = useAnswerNight(night.night_id)
  const action = useAsyncAction()
  const [chosen, setChosen] = useState<NightAnswer>()
  /** What is typed and not saved yet. */
  const [typed, setTyped] = useState<string>()
  const [asked, setAsked] = useState<NightAnswer>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stored = useRef(my.answer)
  /** The answer that was sent last, until the server has it. */
  const sending = useRef<NightAnswer>(undefined)
  const meaning = useId()
  const form = useId()
  const [isWordOpen, openWord] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    stored.current = my.answer
  }, [my.answer])

  const word = typed ?? my.word ?? ''
  const isWordChanged = word.trim() !== (my.word ?? '') && !isTooLong(word, NIGHT_WORD_MAX)

  /** @param isQuiet without a notice of success: the page shows the answer itself */
  const send = (answer: NightAnswer, isQuiet: boolean) => {
    sending.current = answer
    return action.queue(async (): Promise<Outcome | undefined> => {
      try {
        await answering.mutateAsync({ answer, ...(isWordChanged && { word: word.trim() || null }) })
        if (isWordChanged) setTyped((latest) => (latest === typed ? undefined : latest))
        return isQuiet ? undefined : { tone: 'success', text: text.saved }
      } catch (error) {
        return failedOutcome(text.failed, error)
      } finally {
        if (sending.current === answer) sending.current = undefined
        setChosen((latest) => (latest === answer ? undefined : latest))
      }
    })
  }

  function choose(answer: NightAnswer, isByKey: boolean): void {
    clearTimeout(timer.current)
    setChosen(answer)
    const settle = () => {
      if (answer === (sending.current ?? stored.current)) setChosen(sending.current)
      else if (my.voted && answer !== 'in' && night.status === 'open') setAsked(answer)
      else void send(answer, true)
    }
    if (isByKey) timer.current = setTimeout(settle, AFTER_KEY_MS)
    else settle()
  }

  function saveWord(event: FormEvent): void {
    event.preventDefault()
    if (isWordChanged && my.answer !== null) void send(my.answer, false)
  }

  const shown = chosen ?? my.answer
  return (
    <Card
      id={anchors.answer}
      title={text.title}
      className="gap-2! p-4! max-xl:gap-1.5! max-xl:p-2.5! max-xl:[&>header]:sr-only"
    >
      <div className="flex flex-wrap items-center gap-2">
        <AnswerChoice
          legend={text.legend}
          describedBy={meaning}
          answers={ANSWERS}
          labels={text.options}
          chosen={shown}
          look={look}
          onAnswer={choose}
        />
        <IconButton
          label={text.addWord}
          aria-expanded={isWordOpen}
          aria-controls={form}
          className={my.word === null ? '' : 'text-mint!'}
          onClick={() => openWord(!isWordOpen)}
        >
          <MessageSquareText aria-hidden />
        </IconButton>
      </div>
      <p id={meaning} className="text-sm text-soft max-sm:text-xs max-sm:leading-tight">
        {shown === 'in' ? text.shownByLink[night.faces ? 'faces' : 'number'] : text.meaning}
      </p>
      <Late night={night} />
      <form
        id={form}
        noValidate
        onSubmit={saveWord}
        hidden={!isWordOpen}
        className="flex flex-wrap items-end gap-2 [&[hidden]]:hidden"
      >
        <TextField
          className="min-w-0 grow basis-40"
          label={text.word}
          placeholder={text.wordHint}
          autoComplete="off"
          maxCharacters={NIGHT_WORD_MAX}
          value={word}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          type="submit"
          disabled={!isWordChanged || my.answer === null}
          busy={action.busy && isWordChanged}
          busyLabel={text.saving}
        >
          {text.save}
        </Button>
      </form>
      <OutcomeNotice outcome={action.outcome} />
      <ConfirmDialog
        open={asked !== undefined}
        title={text.voteRestsTitle}
        confirmLabel={text.voteRests}
        onConfirm={() => asked !== undefined && void send(asked, true)}
        onClose={() => {
          setAsked(undefined)
          setChosen(undefined)
        }}
      >
        <p>{text.voteRestsText}</p>
      </ConfirmDialog>
    </Card>
  )
}

/** Players who come after the vote ended have no say unless it is reopened (NIGHT-126). */
function Late({ night: { my, people, host_steam_id, status, can_reopen } }: { night: Night }) {
  if ((status !== 'tied' && status !== 'decided') || my.answer !== 'in' || my.voted || my.leads) return null
  const host = people.find(({ steam_id }) => steam_id === host_steam_id)
  return (
    <p className="text-sm font-medium text-amber">
      {can_reopen && host ? (
        <Sentence text={text.late} values={{ host: <Name>{nameOf(host)}</Name> }} />
      ) : (
        text.lateUnled
      )}
    </p>
  )
}

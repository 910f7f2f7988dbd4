/** What the link of a game night shows, and the answers by which one joins it (NIGHT-94, NIGHT-99). */
import { Check, CircleHelp, X } from 'lucide-react'
import { useState } from 'react'
import type { Invitation } from '#shared/contract/invites.ts'
import type { NightAnswer } from '#shared/nights/entities.ts'
import { serverNow } from '../../clock.ts'
import { invites } from 'virtual:texts'
import { Avatar } from '../../ui/people/avatar.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Name, visibleName } from '../../ui/people/name.tsx'
import { invitedWhen } from '../../ui/words/night-time.ts'

const text = invites.join
const ANSWERS = ['in', 'maybe', 'out'] as const
const icons = { in: Check, maybe: CircleHelp, out: X }

export function NightFacts({ invitation }: { invitation: Invitation }) {
  const { starts_at, zone, in_count, faces, games } = invitation
  const [now] = useState(() => serverNow())
  return (
    <div className="grid gap-4">
      {starts_at && <When {...invitedWhen(starts_at, zone, now)} />}
      {starts_at === null && <p className="text-xl font-bold">{text.findsDate}</p>}
      {in_count !== undefined && starts_at !== null && (
        <p className="font-semibold text-mint">{text.count.night({ count: in_count })}</p>
      )}
      {faces && faces.length > 0 && (
        <ul className="flex flex-wrap gap-x-4 gap-y-2">
          {faces.map(({ display_name, avatar_url }, nth) => (
            <li key={nth} className="flex min-w-0 items-center gap-2 text-sm font-semibold">
              <Avatar src={avatar_url} size="small" />
              <Name>{visibleName(display_name) ?? text.nameless}</Name>
            </li>
          ))}
        </ul>
      )}
      {games && games.length > 0 && (
        <div className="grid gap-2">
          <h2 className="text-sm font-medium text-soft">{text.atStake}</h2>
          <ul className="flex flex-wrap gap-2">
            {games.map((game, nth) => (
              <li key={nth} className="max-w-full rounded-full bg-raised px-3 py-1 text-sm font-semibold">
                <Name>{game}</Name>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function When({ when, zones }: ReturnType<typeof invitedWhen>) {
  return (
    <div className="grid gap-1">
      <p className="text-xl font-bold">{when}</p>
      {zones.map((zone) => (
        <p key={zone} className="text-sm text-soft">
          {zone}
        </p>
      ))}
    </div>
  )
}

/**
 * In, Maybe and Out.
 * @param sending the answer that is on its way
 */
export function AnswerButtons({
  sending,
  onAnswer,
}: {
  sending: NightAnswer | undefined
  onAnswer: (answer: NightAnswer) => void
}) {
  return (
    <div role="group" aria-label={text.answers.legend} className="grid w-full grid-cols-3 gap-2 sm:gap-3">
      {ANSWERS.map((answer) => {
        const Icon = icons[answer]
        return (
          <Button
            key={answer}
            variant={answer === 'in' ? 'primary' : 'secondary'}
            className="min-h-14! px-2! text-base! max-sm:flex-col max-sm:gap-y-0! max-sm:px-1! max-sm:py-1! max-sm:text-sm!"
            icon={<Icon aria-hidden />}
            busy={sending === answer}
            busyLabel={text.joining}
            disabled={sending !== undefined}
            onClick={() => onAnswer(answer)}
          >
            {text.answers[answer]}
          </Button>
        )
      })}
    </div>
  )
}

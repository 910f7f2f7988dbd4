/** The pick: what is played, who is ready, how to start it, and how it came about (NIGHT-87), sharing it (NIGHT-107). */
import { Dices, Download, Play, Store, Share2 } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { REDRAW_REASON_MAX } from '#shared/limits.ts'
import { isolated } from '#shared/names.ts'
import { isAddedGame } from '#shared/playable.ts'
import type { NightPlayer, NightPick } from '#shared/nights/entities.ts'
import { failedOutcome } from '../../layout/call-action.ts'
import { type Night, useRedraw } from '../../data/nights.ts'
import { formatList, hostOf } from '../../format.ts'
import { gameMarks, nights, gamePage, nightShare as shareText } from 'virtual:texts'
import { useSignedIn } from '../../session.ts'
import { OutcomeNotice, useAsyncAction } from '../../ui/forms/async-action.tsx'
import { Avatar, presenceOf } from '../../ui/people/avatar.tsx'
import { Button, ButtonLink } from '../../ui/forms/button.tsx'
import { isTooLong } from '../../ui/forms/required-text.ts'
import { Dialog } from '../../ui/frames/dialog.tsx'
import { Fold } from '../../ui/frames/fold.tsx'
import { TextField } from '../../ui/forms/field.tsx'
import { outsideOf } from '../../ui/games/outside-link.tsx'
import { GameArt } from '../../ui/games/game-art.tsx'
import { Name, nameOf, PersonLink } from '../../ui/people/name.tsx'
import { isPast } from '../../ui/words/night-time.ts'
import { useNow } from '../../ui/words/relative-time.tsx'
import { Sentence } from '../../ui/words/sentence.tsx'
import { installOf, launchOf, storeOf } from '../../ui/people/steam-privacy.tsx'
import { gamesOf } from './chances.tsx'
import { Draws } from './draws.tsx'
import { drawnOut, isAhead, readiness, type Readiness } from './night-view.ts'
import { PlayAgain } from './play-again.tsx'
import { ReopenVote } from './close-vote.tsx'
import { useLazyDialog } from '../../ui/frames/lazy-dialog.tsx'

const text = nights.pick
/** The game's name, between smaller words. */
const large = 'text-2xl leading-tight font-bold tracking-tight text-ink md:text-4xl'

/** @param shownId the game to show, which is another one than the pick during the reveal */
export function Pick({
  night,
  pick,
  shownId = pick.appid,
  isRevealing,
}: {
  night: Night
  pick: NightPick
  shownId: number | undefined
  isRevealing: boolean
}) {
  const { steamId: me } = useSignedIn()
  const games = useMemo(() => gamesOf(night), [night])
  const shown = games.get(shownId) ?? pick
  const isMine = pick.ready.includes(me)
  const leads = night.my.leads && night.status === 'decided'
  const hidden = isRevealing ? 'invisible' : ''
  const now = useNow()
  const isLater = isAhead(night, now)
  const isPastNow = isPast(night, now)
  return (
    <section
      aria-labelledby="the-pick"
      className="frosted grid gap-5 overflow-hidden rounded-card border-mint/40! p-4 sm:p-6"
    >
      <div className="grid items-center gap-5 md:grid-cols-[minmax(0,28rem)_minmax(0,1fr)] md:gap-7">
        <GameArt game={shown} className="w-full rounded-control" />
        <div className="grid min-w-0 gap-4">
          <h2
            id="the-pick"
            tabIndex={-1}
            className="grid gap-1 text-sm font-semibold tracking-wide text-mint focus-visible:outline-none"
          >
            {isRevealing ? (
              <>
                {text.drawing}{' '}
                <span aria-hidden className={large}>
                  <Name className="line-clamp-2">{shown.name}</Name>
                </span>
              </>
            ) : (
              <Sentence
                text={
                  text[isLater ? 'willPlay' : isPastNow ? 'picked' : 'playing'][
                    night.my.answer === 'in' ? 'mine' : 'others'
                  ]
                }
                values={{
                  game: (
                    <span className={large}>
                      <Link
                        {...(pick.link ? outsideOf(pick.link) : { to: `/games/${pick.appid}` })}
                        className="-my-2 block py-2 hover:text-mint-bright"
                      >
                        <Name className="line-clamp-2">{pick.name}</Name>
                      </Link>
                    </span>
                  ),
                }}
              />
            )}
          </h2>
          <p className={`text-soft ${hidden}`}>
            <HowPicked night={night} pick={pick} />
          </p>
          {!isRevealing && <Lacking night={night} pick={pick} />}
          <div className={`flex flex-wrap gap-3 ${hidden}`}>
            {isAddedGame(pick.appid) ? (
              pick.link && (
                <ButtonLink
                  {...outsideOf(pick.link)}
                  variant={isLater ? 'secondary' : 'primary'}
                  icon={<Play aria-hidden />}
                  className="max-w-full"
                >
                  <bdi className="truncate">{gamePage.play({ host: hostOf(pick.link) })}</bdi>
                  <span className="sr-only">{gamePage.inOtherTab}</span>
                </ButtonLink>
              )
            ) : pick.lacking.includes(me) && !isPastNow ? (
              <ButtonLink to={installOf(pick.appid)} variant="primary" icon={<Download aria-hidden />}>
                {text.install} <span className="sr-only">{gamePage.inSteam}</span>
              </ButtonLink>
            ) : (
              <ButtonLink
                to={launchOf(pick.appid)}
                variant={isMine && !isLater ? 'primary' : 'secondary'}
                icon={<Play aria-hidden />}
              >
                {text.launch} <span className="sr-only">{gamePage.inSteam}</span>
              </ButtonLink>
            )}
            {!isRevealing && <SharePick night={night} game={pick.name} />}
          </div>
          <div className={hidden}>
            <Fold isSmall title={text.more}>
              <div className="flex flex-wrap gap-3">
                {!isAddedGame(pick.appid) && !pick.lacking.includes(me) && (
                  <ButtonLink to={installOf(pick.appid)} icon={<Download aria-hidden />}>
                    {text.install} <span className="sr-only">{gamePage.inSteam}</span>
                  </ButtonLink>
                )}
                {!isAddedGame(pick.appid) && (
                  <ButtonLink {...storeOf(pick.appid)} icon={<Store aria-hidden />}>
                    {text.store} <span className="sr-only">{gamePage.inNewTab}</span>
                  </ButtonLink>
                )}
                <PlayAgain night={night} />
                {leads && <ReopenVote night={night} />}
                {leads && <DrawAgain night={night} pick={pick} />}
              </div>
            </Fold>
          </div>
        </div>
      </div>
      <div className={hidden}>
        {/* The libraries of now do not say who could play it then. */}
        {!isPastNow && <Ready night={night} pick={pick} isLater={isLater} />}
      </div>
      <div className={hidden}>
        <Draws night={night} games={games} />
      </div>
    </section>
  )
}

/** Who lacks it of those who have not said no, as far as I may know. */
function Lacking({ night, pick }: { night: Night; pick: NightPick }) {
  const { steamId: me } = useSignedIn()
  const names = night.people
    .filter(({ steam_id }) => pick.lacking.includes(steam_id))
    .map((person) => (person.steam_id === me ? nights.youWithin : isolated(nameOf(person))))
  if (names.length === 0) return null
  return (
    <p className="text-sm font-semibold text-amber">
      {nights.list.lacking({ names: formatList(names) })}
      {pick.is_free === true && ` · ${text.free}`}
    </p>
  )
}

/** By votes, by a draw, or by another draw with the reason for it. */
function HowPicked({ night, pick }: { night: Night; pick: NightPick }) {
  if (pick.reason === null) return pick.by === 'votes' ? text.byVotes : text.byDraw
  const by = night.people.find(({ steam_id }) => steam_id === pick.drawn_by)
  const reason = <Name>{nights.quoted({ words: pick.reason })}</Name>
  return by ? (
    <Sentence text={text.drawnAgainBy} values={{ name: <Name>{nameOf(by)}</Name>, reason }} />
  ) : (
    <Sentence text={text.drawnAgain} values={{ reason }} />
  )
}

const looks: Record<Readiness, string> = {
  inGame: 'text-violet',
  online: 'text-mint',
  away: 'text-amber',
  offline: 'text-soft',
  owning: 'text-mint',
  elsewhere: 'text-mint',
  lacking: 'text-rose',
  unknown: 'text-amber',
}

/** Those who are in, in the order of how ready they are. */
function Ready({ night, pick, isLater }: { night: Night; pick: NightPick; isLater: boolean }) {
  const { steamId: me } = useSignedIn()
  const people = readiness(night, pick, isLater)
  const title = isLater ? text.owners : text.ready
  if (people.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
      <ul
        aria-label={title}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,13rem),1fr))] gap-x-3 gap-y-0.5"
      >
        {people.map(({ person, is }) => (
          <li key={person.steam_id} className="min-w-0">
            <PersonLink
              steamId={person.steam_id}
              className="flex min-h-12 items-center gap-3 rounded-control px-1.5 py-1 transition hover:bg-raised/70"
            >
              <Avatar
                src={person.avatar_url}
                size="small"
                presence={isLater ? undefined : presenceOf(person)}
              />
              <span className="grid min-w-0 text-sm">
                <Name className="line-clamp-1 font-semibold">
                  {person.steam_id === me ? nights.you : nameOf(person)}
                </Name>
                <span className={`line-clamp-1 text-xs ${looks[is]}`}>
                  {is === 'elsewhere'
                    ? gameMarks.says({
                        people: gameMarks.places[pick.elsewhere_places[person.steam_id]!],
                      })
                    : person.steam_id === me && is in text.mine
                      ? text.mine[is as keyof typeof text.mine]
                      : text[is]}
                  {is === 'lacking' && pick.is_free === true && ` · ${text.free}`}
                  {!isLater && <OtherGame person={person} is={is} />}
                </span>
              </span>
            </PersonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OtherGame({ person, is }: { person: NightPlayer; is: Readiness }) {
  if (is === 'inGame' || person.playing === null) return null
  return <> · {text.otherGame({ game: person.playing })}</>
}

function DrawAgain({ night, pick }: { night: Night; pick: NightPick }) {
  const redraw = useRedraw(night.night_id)
  const action = useAsyncAction()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const out = drawnOut(night.draws)
  if (night.odds?.length === 0) return <p className="self-center text-sm text-soft">{text.nothingLeft}</p>

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (reason.trim() === '' || isTooLong(reason, REDRAW_REASON_MAX)) return
    void action.start(async () => {
      try {
        await redraw.mutateAsync({ reason: reason.trim(), replaces: pick.number })
        setOpen(false)
        setReason('')
        return undefined
      } catch (error) {
        return failedOutcome(text.againFailed, error)
      }
    })
  }

  return (
    <>
      <Button
        variant="quiet"
        icon={<Dices aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text.again}
      </Button>
      <Dialog open={isOpen} title={text.againTitle} onClose={() => setOpen(false)}>
        <p className="text-soft">{text.againText}</p>
        {out && <p className="text-amber">{text.drawnOut[out]}</p>}
        <form noValidate onSubmit={submit} className="grid gap-4">
          <TextField
            label={text.reason}
            autoComplete="off"
            maxCharacters={REDRAW_REASON_MAX}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <OutcomeNotice outcome={action.outcome} />
          <Button
            type="submit"
            variant="primary"
            disabled={reason.trim() === ''}
            busy={action.busy}
            busyLabel={text.drawingAgain}
          >
            {text.again}
          </Button>
        </form>
      </Dialog>
    </>
  )
}

const load = async () => (await import('./share-dialog.tsx')).ShareDialog

function SharePick({ night, game }: { night: Night; game: string }) {
  const { open, dialog } = useLazyDialog(load, { night, game })
  return (
    <>
      <Button icon={<Share2 aria-hidden />} aria-haspopup="dialog" onClick={open}>
        {shareText.share}
      </Button>
      {dialog}
    </>
  )
}

/** Find (NAV-9, NAV-10): leads to a friend, game, group or screen by its name. */
import { Search, X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { roundedHours } from '#shared/playtime.ts'
import { find as text, wizard, gameView, invitation, groups } from 'virtual:texts'
import { IconButton } from '../../ui/forms/button.tsx'
import { useModal } from '../../ui/frames/dialog.tsx'
import type { DialogState } from '../../ui/frames/lazy-dialog.tsx'
import { inputLook } from '../../ui/looks.ts'
import { GameArt } from '../../ui/games/game-art.tsx'
import { GroupPicture } from '../../ui/people/group-picture.tsx'
import { Name } from '../../ui/people/name.tsx'
import { PeopleRow } from '../../ui/people/people-row.tsx'
import { placeKey, placeName, type Place } from './places.ts'
import { useFindBox } from './use-find-box.ts'

export function FindDialog({ open, onClose }: DialogState) {
  const modal = useModal(open, onClose)
  return (
    <dialog
      {...modal}
      aria-label={text.title}
      className="frosted mx-auto mt-3 mb-auto backdrop:bg-ground/85! w-[min(40rem,calc(100vw-1.5rem))] overflow-hidden rounded-card p-0 text-ink sm:mt-[10dvh]"
    >
      {open && (
        <FindBox
          onClose={() => {
            // At once: this gives the focus back before the next screen takes it.
            modal.ref.current?.close()
            onClose()
          }}
        />
      )}
    </dialog>
  )
}

function FindBox({ onClose }: { onClose: () => void }) {
  const box = useFindBox(onClose)
  const headings = useId()
  return (
    <div className="animate-enter grid">
      <div className="flex items-center gap-1 p-3 pb-2">
        <div className="relative min-w-0 flex-1">
          <label {...box.getLabelProps()} className="sr-only">
            {text.title}
          </label>
          <Search aria-hidden className="pointer-events-none absolute top-4 left-3.5 size-4 text-soft" />
          <input
            {...box.inputProps}
            placeholder={text.placeholder}
            className={`${inputLook} min-h-12 pl-10 md:text-base`}
          />
        </div>
        <IconButton label={wizard.cancel} onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div
        {...box.menuProps}
        aria-label={text.list}
        className="grid max-h-[58dvh] content-start gap-1 overflow-y-auto overscroll-contain px-3 pb-3 sm:max-h-[min(36rem,66dvh)]"
      >
        {box.sections.map(({ kind, isMore, items, total, first }) => (
          <div
            key={`${kind} ${isMore}`}
            role="group"
            aria-labelledby={`${headings}-${first}`}
            className="grid"
          >
            <div
              role="presentation"
              className="flex items-baseline justify-between gap-3 px-2.5 pt-2 pb-1 text-xs text-soft"
            >
              <span id={`${headings}-${first}`} className="font-semibold">
                {isMore ? text.more[kind] : text.sections[kind]}
              </span>
              {total > items.length && (
                <span className="tabular-nums">{text.ofAll({ shown: items.length, total })}</span>
              )}
            </div>
            {items.map((place, row) => (
              <div
                key={placeKey(place)}
                {...box.getOptionProps(place, first + row)}
                className={
                  'flex min-h-12 min-w-0 cursor-pointer items-center gap-3 rounded-chip px-2.5 py-1.5 text-sm ' +
                  (box.highlightedIndex === first + row ? 'bg-violet-deep/55' : '')
                }
              >
                <Row place={place} />
              </div>
            ))}
          </div>
        ))}
      </div>
      {/* Outside the listbox, which may contain only options. */}
      <p role="status" className={box.isEmpty ? 'px-5 py-4 text-sm text-soft' : 'sr-only'}>
        {box.status}
      </p>
      {box.failed.map((kind) => (
        <p key={kind} className="px-5 py-1.5 text-sm text-rose">
          {text.failed[kind]}
        </p>
      ))}
      <footer
        aria-hidden
        className="flex items-center gap-1.5 border-t border-line/50 px-5 py-2.5 text-xs text-soft max-sm:hidden pointer-coarse:hidden"
      >
        <Key>↑</Key>
        <Key>↓</Key> <span className="mr-3">{text.move}</span>
        <Key>{text.enter}</Key> {text.open}
      </footer>
    </div>
  )
}

function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-grid min-h-7 min-w-7 place-items-center rounded-chip border border-edge/50 bg-deep/70 px-1.5 font-sans font-semibold text-ink">
      {children}
    </kbd>
  )
}

function Row({ place }: { place: Place }) {
  if (place.kind === 'friends') return <PeopleRow friend={place.friend} />
  if (place.kind === 'games') {
    const { game } = place
    return (
      <Named
        name={game.name}
        about={gameView.hours({ hours: roundedHours(game.playtime_minutes) })}
        picture={<GameArt game={game} className="w-16 rounded-chip" />}
      />
    )
  }
  if (place.kind === 'groups') {
    const { group } = place
    return (
      <Named
        name={group.name}
        about={group.joined === false ? invitation.notJoined : groups.members({ count: group.member_count })}
        picture={<GroupPicture group={group} className="size-9 rounded-chip text-xs" />}
      />
    )
  }
  return (
    <Named
      name={placeName(place)}
      picture={
        <span aria-hidden className="grid size-9 place-items-center rounded-chip bg-raised text-violet">
          <place.Icon className="size-5" />
        </span>
      }
    />
  )
}

function Named({ name, about, picture }: { name: string; about?: string; picture: ReactNode }) {
  return (
    <>
      {picture}
      <Name className="line-clamp-1 min-w-0 flex-1">{name}</Name>
      {about !== undefined && (
        <span className="shrink-0 text-xs text-soft tabular-nums">
          <span className="sr-only">, </span>
          {about}
        </span>
      )}
    </>
  )
}

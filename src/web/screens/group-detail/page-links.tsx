/** Links to the cards of a group's page, so that they are one press away however long the list of games is (GPAGE-29). */
import type { MouseEvent } from 'react'
import { ImagePlus, Moon, Settings, UserPlus, Users } from 'lucide-react'
import { group as groupTexts } from '../../more-messages.ts'

/** The ids of the cards' headings. Following a link moves the focus there. */
export const anchors = {
  nights: 'game-nights',
  members: 'members',
  add: 'add-member',
  picture: 'set-picture',
  settings: 'manage-group',
} as const

const icons = { nights: Moon, members: Users, add: UserPlus, picture: ImagePlus, settings: Settings }
const texts = groupTexts

/** @param isOwner whether the page has settings */
export function PageLinks({ isOwner }: { isOwner: boolean }) {
  const targets = (Object.keys(anchors) as (keyof typeof anchors)[]).filter(
    (target) => target !== 'settings' || isOwner,
  )
  return (
    <nav aria-label={texts.onThisPage}>
      <ul className="-mx-2 flex flex-wrap gap-x-1 sm:gap-x-2">
        {targets.map((target) => {
          const Icon = icons[target]
          return (
            <li key={target}>
              <a
                href={`#${anchors[target]}`}
                onClick={goInPlace}
                className="inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 text-sm font-semibold text-soft transition hover:bg-raised/80 hover:text-ink sm:px-3"
              >
                {/* On phones the links stand in one row without icons. */}
                <Icon aria-hidden className="size-4 shrink-0 max-[479px]:hidden" />
                {texts.jump[target]}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Follows a link within the page in place of the address, so that Back leaves the page. */
export function goInPlace(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  location.replace(event.currentTarget.hash)
}

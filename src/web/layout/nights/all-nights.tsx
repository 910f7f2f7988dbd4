/** Leads to the list of all my nights, or of a group's (NIGHT-104, NIGHT-140). */
import { History } from 'lucide-react'
import { nightLists as text } from 'virtual:texts'
import { ButtonLink } from '../../ui/button.tsx'

/** Only an icon in small windows. */
export function AllNights({ groupId, className = '' }: { groupId?: number; className?: string }) {
  return (
    <ButtonLink
      to={groupId === undefined ? '/nights' : `/nights?group=${groupId}`}
      variant="quiet"
      icon={<History aria-hidden />}
      title={text.all}
      className={`shrink-0 max-xl:size-11 max-xl:p-0! max-xl:[&_svg]:size-5! ${className}`}
    >
      <span className="max-xl:sr-only">{text.all}</span>
    </ButtonLink>
  )
}

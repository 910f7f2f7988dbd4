/** Links to games that are not on Steam (API-56). */
import { ExternalLink } from 'lucide-react'
import { gamePage as text } from 'virtual:texts'
import { hostOf } from '../../format.ts'

/** The page of such a game, which learns nothing of where the visitor came from. */
export const outsideOf = (link: string) => ({
  to: link,
  target: '_blank',
  rel: 'noopener noreferrer nofollow',
})

export function OutsideLink({ link }: { link: string }) {
  const { to, ...rest } = outsideOf(link)
  return (
    <p className="min-w-0 text-xs">
      <a
        href={to}
        {...rest}
        className="inline-flex min-h-6 max-w-full min-w-0 items-center gap-1 font-semibold underline-offset-4 hover:underline pointer-coarse:min-h-11"
      >
        <bdi className="truncate">{hostOf(link)}</bdi>
        <ExternalLink aria-hidden className="size-3 shrink-0" />
        <span className="sr-only">{text.inOtherTab}</span>
      </a>
    </p>
  )
}

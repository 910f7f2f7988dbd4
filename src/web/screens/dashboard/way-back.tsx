/** The way back to the page that a sign-in interrupted (LOGIN-10). */
import { ArrowLeft, X } from 'lucide-react'
import { useState } from 'react'
import { messages } from '../../messages.ts'
import { useSignedIn } from '../../session.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { forgetPage, wantedPage } from '../../wanted-page.ts'

const texts = messages.dashboard.wayBack

/** A link and a cross; nothing for who wanted no other page. */
export function WayBack() {
  const { steamId } = useSignedIn()
  const [to, setTo] = useState(() => wantedPage(steamId))
  if (to === undefined) return null
  return (
    <div className="flex items-center gap-2">
      <ButtonLink to={to} icon={<ArrowLeft aria-hidden />} onClick={forgetPage}>
        {texts.go}
      </ButtonLink>
      <IconButton
        label={texts.dismiss}
        onClick={() => {
          forgetPage()
          setTo(undefined)
        }}
      >
        <X aria-hidden />
      </IconButton>
    </div>
  )
}

/** The 404 page (LOST-1). */
import { notFound as text } from 'virtual:texts'
import { ButtonLink } from '../../ui/forms/button.tsx'
import { Screen } from '../../ui/frames/screen.tsx'

export function NotFoundScreen() {
  return (
    <div className="frosted mx-auto grid w-full max-w-lg justify-items-center gap-2 rounded-card p-8 text-center [&_header]:justify-center">
      <p className="bg-linear-to-r from-mint to-violet bg-clip-text text-8xl font-extrabold tracking-tighter text-transparent tabular-nums">
        {text.code}
      </p>
      <Screen title={text.title}>
        <p className="text-soft">{text.hint}</p>
        <ButtonLink variant="primary" to="/dashboard">
          {text.back}
        </ButtonLink>
      </Screen>
    </div>
  )
}

import { Link, Outlet } from 'react-router'
import { chooseLanguage } from '../language.ts'
import { navigation } from 'virtual:texts'
import { DemoBanner } from './demo-banner.tsx'
import { Logo } from './logo.tsx'
import { chooseTheme } from '../theme.ts'
import { SteamLink } from './navigation.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { ThemeChoice } from './theme-choice.tsx'

/** The frame of public screens. */
export function PublicLayout() {
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4 sm:px-6">
      <header className="grid gap-4 py-4">
        <Logo />
        <DemoBanner />
      </header>
      <main id="content" tabIndex={-1} className="grid flex-1 content-center py-8">
        <Outlet />
      </main>
      <footer className="flex flex-wrap items-center gap-x-6 gap-y-2 py-4 text-sm text-soft">
        <Link
          to="/privacy"
          className="inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline"
        >
          {navigation.privacy}
        </Link>
        <SteamLink />
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2 sm:ml-auto">
          <LanguageChoice onChoose={chooseLanguage} />
          <ThemeChoice onChoose={chooseTheme} />
        </div>
      </footer>
    </div>
  )
}

/** Starts the pages. */
import '@fontsource-variable/inter/wght.css'
import './styles.css'
// Imported here so that it runs before any navigation.
import './arrival.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { loadErrorTexts } from './data/api-error.ts'
import { completeSignIns } from './data/http.ts'
import { Blobs } from './layout/blobs.tsx'
import { ScrollMemory } from './layout/scroll-memory.tsx'
import { AppRoutes, preloadScreens } from './routes.tsx'
import { ErrorBoundary } from './ui/frames/error-boundary.tsx'

// Beside the first load: a browser translates only what it has shown.
void import('./translated.ts').then(({ tolerateTranslation }) => tolerateTranslation())

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <BrowserRouter>
      <Blobs />
      <ScrollMemory />
      <ErrorBoundary reload>
        <AppRoutes />
      </ErrorBoundary>
    </BrowserRouter>
  </StrictMode>,
)

// Completes a sign-in that was interrupted by closing or reloading the page.
void completeSignIns()
function afterLoad() {
  setTimeout(() => {
    void preloadScreens()
    void loadErrorTexts()
    // Not where a browser has none, as without https; what it is for can wait until the next visit.
    if (import.meta.env.PROD) void navigator.serviceWorker?.register('/sw.js').catch(() => undefined)
  }, 4000)
}
// The texts of the language may arrive after everything else has loaded.
if (document.readyState === 'complete') afterLoad()
else window.addEventListener('load', afterLoad)

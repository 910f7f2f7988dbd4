/** Starts the pages. */
import '@fontsource-variable/inter/wght.css'
import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Blobs } from './layout/blobs.tsx'
import { ScrollMemory } from './layout/scroll-memory.tsx'
import { AppRoutes, preloadScreens } from './routes.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'

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

window.addEventListener('load', () => setTimeout(() => void preloadScreens(), 1000))

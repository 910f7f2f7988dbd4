/** Keeps a crash where it happened (UI.md 'Forgiving'). */
import { Component, type ReactNode } from 'react'
import { messages } from '../messages.ts'
import { Button } from './button.tsx'

type Props = {
  children: ReactNode
  /** Reloads the page instead of drawing again: for a screen whose code could not be loaded. */
  reload?: boolean
}

/** Shows what crashed as a notice with a way out. React offers this to classes only. */
export class ErrorBoundary extends Component<Props, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
    return (
      <div role="alert" className="grid justify-items-start gap-3 rounded-control bg-rose-deep/15 p-4">
        <p className="font-semibold">{messages.crash.title}</p>
        <p className="text-sm text-soft">{messages.crash.hint}</p>
        <Button
          onClick={() => {
            if (this.props.reload) location.reload()
            else this.setState({ crashed: false })
          }}
        >
          {messages.crash.retry}
        </Button>
      </div>
    )
  }
}

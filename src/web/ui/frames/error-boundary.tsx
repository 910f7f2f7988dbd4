/** Limits a crash to a part of the page (LOOK-14). */
import { Component, type ReactNode } from 'react'
import { messages, crash } from 'virtual:texts'
import { Button } from '../forms/button.tsx'

type Props = {
  children: ReactNode
  /** For a whole screen: the notice is its heading, and the button reloads the page, because code may be missing. */
  reload?: boolean
  /** Wraps the notice, for example in a card. */
  frame?: (notice: ReactNode) => ReactNode
}

/** Shows a notice with a retry button instead of children that crashed. React supports this in classes only. */
export class ErrorBoundary extends Component<Props, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
    const Title = this.props.reload ? 'h1' : 'p'
    const notice = (
      <div role="alert" className="grid justify-items-start gap-3 rounded-control bg-rose-deep/15 p-4">
        <Title className="font-semibold">{crash.title}</Title>
        <p className="text-sm text-soft">{crash.hint}</p>
        <Button
          onClick={() => {
            if (this.props.reload) location.reload()
            else this.setState({ crashed: false })
          }}
        >
          {messages.tryAgain}
        </Button>
      </div>
    )
    return this.props.frame ? this.props.frame(notice) : notice
  }
}

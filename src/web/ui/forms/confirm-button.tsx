/** A button that asks before it does something. */
import { useState, type ComponentProps } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from '../frames/dialog.tsx'

/**
 * @param question title of the dialog, whose button reads like this one
 * @param consequence what happens then, in a sentence
 */
export function ConfirmButton({
  question,
  consequence,
  onConfirm,
  children,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick' | 'children'> & {
  question: string
  consequence: string
  onConfirm: () => void
  children: string
}) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button aria-haspopup="dialog" {...button} onClick={() => setAsking(true)}>
        {children}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={question}
        confirmLabel={children}
        onConfirm={onConfirm}
        onClose={() => setAsking(false)}
      >
        <p>{consequence}</p>
      </ConfirmDialog>
    </>
  )
}

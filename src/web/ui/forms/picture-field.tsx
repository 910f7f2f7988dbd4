/** A field for an image file, with preview and validation (GLIST-3, LIM-6). */
import { ImagePlus, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '#shared/limits.ts'
import { messages, groups } from 'virtual:texts'
import { IconButton } from './button.tsx'

const texts = messages.picture

/** A chosen file, an object URL of its preview, and what is wrong with it, if anything. */
export type ChosenPicture = { file: File; preview: string; problem?: string }

/**
 * What is wrong with a file by its type and size, or undefined. The server also checks its content.
 */
export function pictureProblem({ type, size }: Pick<File, 'type' | 'size'>): string | undefined {
  if (!type.startsWith('image/')) return groups.notAnImage
  if (!PICTURE_TYPES.some((supported) => supported === type)) return texts.wrongKind
  return size > PICTURE_MAX_BYTES ? texts.tooLarge : undefined
}

/**
 * A styled file input, controlled by `chosen`.
 * @param onChange called with the chosen file, or undefined when it is removed
 */
export function PictureField({
  label,
  chosen,
  onChange,
}: {
  label: string
  chosen: ChosenPicture | undefined
  onChange: (chosen: ChosenPicture | undefined) => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const problem = chosen?.problem

  function change(next: ChosenPicture | undefined) {
    if (chosen && chosen.preview !== next?.preview) URL.revokeObjectURL(chosen.preview)
    onChange(next)
  }

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-soft">
        {label}
      </label>
      <div
        className={
          'relative flex min-h-20 items-center gap-4 rounded-control border border-dashed bg-deep/60 p-3 transition ' +
          'hover:border-edge has-focus-visible:outline-2 has-focus-visible:outline-mint ' +
          (problem === undefined ? 'border-edge/60' : 'border-rose')
        }
      >
        <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-chip bg-raised text-violet">
          {chosen === undefined || problem !== undefined ? (
            <ImagePlus aria-hidden className="size-6" />
          ) : (
            <img
              src={chosen.preview}
              alt={texts.preview}
              className="size-full object-cover"
              // The file is not an image, whatever its type says.
              onError={() => change({ ...chosen, problem: groups.notAnImage })}
            />
          )}
        </span>
        <span className="grid min-w-0 flex-1 text-sm">
          <span className="font-medium">{chosen ? texts.chooseAnother : texts.choose}</span>
          {chosen ? (
            <bdi className="line-clamp-1 text-soft">{chosen.file.name}</bdi>
          ) : (
            <span className="text-soft">{texts.hint}</span>
          )}
        </span>
        {/* Covers the whole box, so that a click or a dropped file works anywhere on it. */}
        <input
          ref={input}
          id={id}
          type="file"
          accept={PICTURE_TYPES.join(',')}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-about`}
          onChange={(event) => {
            const file = event.target.files?.[0]
            if (file) change({ file, preview: URL.createObjectURL(file), problem: pictureProblem(file) })
          }}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
        {chosen && (
          <IconButton
            label={texts.clear}
            className="relative"
            onClick={() => {
              // Otherwise choosing the same file again would fire no change event.
              if (input.current) input.current.value = ''
              change(undefined)
              input.current?.focus()
            }}
          >
            <X aria-hidden />
          </IconButton>
        )}
      </div>
      <p
        id={`${id}-about`}
        role={problem === undefined ? undefined : 'alert'}
        className={problem === undefined ? 'sr-only' : 'text-sm text-rose'}
      >
        {problem ?? texts.hint}
      </p>
    </div>
  )
}

/** A group's picture as this server serves it, or a tile with its initials. */
import { useState } from 'react'
import type { Group } from '#shared/entities.ts'
import { group as text } from 'virtual:texts'
import { Notice } from '../forms/async-action.tsx'
import { initialsOf } from '../games/game-art.tsx'
import { hueOf } from '../looks.ts'

/**
 * Set its size and the size of the initials with `className`. Never loads `picture_url` itself, which would disclose
 * members' IP addresses to another host. Without alternative text, because the name stands beside it.
 */
export function GroupPicture({
  group,
  className = '',
}: {
  group: Pick<Group, 'group_id' | 'name' | 'picture_image_url'>
  className?: string
}) {
  const src = group.picture_image_url
  const [failedSrc, setFailedSrc] = useState<string>()
  return (
    <span
      aria-hidden
      className={`relative grid shrink-0 place-items-center overflow-hidden tinted font-bold tracking-wider text-ink/85 ${className}`}
      style={hueOf(group.group_id)}
    >
      {src === null || src === undefined || src === failedSrc ? (
        initialsOf(group.name)
      ) : (
        <img
          src={src}
          alt=""
          decoding="async"
          onError={() => setFailedSrc(src)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </span>
  )
}

/** Says so where a picture that was just set cannot be loaded (PIC-6). @param src as this server serves it */
export function PictureMissing({ src }: { src: string | null | undefined }) {
  const [failedSrc, setFailedSrc] = useState<string>()
  return (
    <>
      <Notice tone="info">{src && src === failedSrc && text.pictureMissing}</Notice>
      {src && <img hidden src={src} alt="" onError={() => setFailedSrc(src)} />}
    </>
  )
}

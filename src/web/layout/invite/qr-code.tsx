/** A text as a QR code (NIGHT-95). */
import { encode } from 'uqr'

/** Scanners need as many light modules around the code. */
const QUIET_ZONE = 4

export function QrCode({ text, label, className = '' }: { text: string; label: string; className?: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <rect width={size} height={size} className="fill-code-ground" />
      <path d={pathOf(data)} className="fill-code" />
    </svg>
  )
}

/** Each run of dark modules in a row as a rectangle. */
export function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = ''
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x++
      const width = x + 1 - from
      path += `M${from} ${y}h${width}v1h-${width}z`
    }
  })
  return path
}

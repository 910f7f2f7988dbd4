/**
 * Fills outlines as smooth shapes. The picture library could draw SVG, but its SVG reader is blocked, because it must not
 * see what people upload (`pictures/encode.ts`).
 */

/** Corners of closed shapes as x, y, x, y, …, in pixels. Where shapes overlap, or run the same way, they are one. */
export type Shapes = readonly (readonly number[])[]

/** Changes beyond the right side that an edge there makes. */
const EDGE = 2

/** How much of each pixel the shapes cover, 0 to 255, by rows. What is beyond the area is cut off. */
export function coverageOf(shapes: Shapes, width: number, height: number): Uint8Array {
  // Each edge adds the change of coverage that it makes from one pixel to the next; their sum along a row is the coverage.
  const change = new Float32Array((width + EDGE) * height)
  for (const corners of shapes)
    for (let at = 0; at < corners.length; at += 2) {
      const next = (at + 2) % corners.length
      addEdge(change, { width, height }, corners.slice(at, at + 2), corners.slice(next, next + 2))
    }
  const coverage = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    let sum = 0
    for (let x = 0; x < width; x++) {
      sum += change[y * (width + EDGE) + x]!
      coverage[y * width + x] = Math.round(255 * Math.min(1, Math.abs(sum)))
    }
  }
  return coverage
}

function addEdge(
  change: Float32Array,
  { width, height }: { width: number; height: number },
  from: readonly number[],
  to: readonly number[],
): void {
  const down = from[1]! < to[1]!
  const [top, bottom] = (down ? [from, to] : [to, from]) as [number[], number[]]
  const [topX, topY, bottomX, bottomY] = [top[0]!, top[1]!, bottom[0]!, bottom[1]!]
  if (topY === bottomY) return
  // A share of the height, because the slope of a very flat edge would be infinite.
  const xAt = (y: number) =>
    Math.min(Math.max(topX + ((y - topY) / (bottomY - topY)) * (bottomX - topX), 0), width)
  for (let y = Math.max(0, Math.floor(topY)); y < Math.min(height, Math.ceil(bottomY)); y++) {
    const [y0, y1] = [Math.max(y, topY), Math.min(y + 1, bottomY)]
    const [a, b] = [xAt(y0), xAt(y1)]
    addRow(change, y * (width + EDGE), Math.min(a, b), Math.max(a, b), down ? y1 - y0 : y0 - y1)
  }
}

/** Adds an edge from x0 to x1 within one row; `rise`: how much of the row's height it takes, signed by its direction. */
function addRow(change: Float32Array, row: number, x0: number, x1: number, rise: number): void {
  const last = Math.floor(x1)
  let covered = 0
  for (let x = Math.floor(x0); x <= last; x++) {
    // The part of this pixel right of the edge.
    const [from, to] = [Math.max(x0, x), Math.min(x1, x + 1)]
    const share = x1 === x0 ? 1 : Math.max(0, to - from) / (x1 - x0)
    const before = x1 === x0 ? 0 : Math.max(0, from - x0) / (x1 - x0)
    const here = before + share * (x + 1 - (from + to) / 2)
    change[row + x]! += rise * (here - covered)
    covered = here
  }
  change[row + last + 1]! += rise * (1 - covered)
}

/** A rectangle with round corners, at 0, 0. */
export function roundedRectangle(width: number, height: number, radius: number): Shapes {
  const corners: number[] = []
  for (const [x, y, start] of [
    [width - radius, radius, -0.5],
    [width - radius, height - radius, 0],
    [radius, height - radius, 0.5],
    [radius, radius, 1],
  ] as const)
    for (let step = 0; step <= 12; step++) {
      const angle = Math.PI * (start + step / 24)
      corners.push(x + radius * Math.cos(angle), y + radius * Math.sin(angle))
    }
  return [corners]
}

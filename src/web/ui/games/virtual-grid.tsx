/** A virtualised grid: of thousands of boxes, only those near the window are rendered (LOOK-24). */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useCallback, useDeferredValue, useLayoutEffect, useRef, useState } from 'react'

const ROWS_BEYOND = 3

/**
 * A list in columns that scrolls with the window. All boxes have the same height, known in advance, so that the page has
 * its full height at once and scroll positions can be restored.
 * @param minWidth of a box, or a function that gets it from the width of the list, in px; as many columns as fit
 * @param heightOf the height of a box by its width, both in px
 * @param label the name of the list, for screen readers
 * @param children renders one item, which should fill its box
 */
export function VirtualGrid<Item>({
  items,
  keyOf,
  minWidth,
  gap,
  heightOf,
  label,
  children,
}: {
  items: readonly Item[]
  keyOf: (item: Item) => string | number
  minWidth: number | ((width: number) => number)
  gap: number
  heightOf: (width: number) => number
  label: string
  children: (item: Item) => ReactNode
}) {
  const list = useRef<HTMLUListElement>(null)
  const [{ width, top }, setBounds] = useState({ width: 0, top: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () =>
      setBounds({ width: element.clientWidth, top: element.getBoundingClientRect().top + window.scrollY })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // Content above may grow or shrink and move the list.
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  const atLeast = typeof minWidth === 'number' ? minWidth : minWidth(width)
  const columns = Math.max(1, Math.floor((width + gap) / (atLeast + gap)))
  const boxWidth = (width - gap * (columns - 1)) / columns
  const height = heightOf(boxWidth)
  // The height is part of the key, because a new height invalidates all cached ones.
  const rows = useWindowVirtualizer({
    count: width === 0 ? 0 : Math.ceil(items.length / columns),
    estimateSize: () => height,
    gap,
    // Those in view are painted first: a slow phone takes long for each row.
    overscan: useDeferredValue(ROWS_BEYOND, 0),
    scrollMargin: top,
    getItemKey: useCallback((row: number) => `${row}:${height}`, [height]),
  })

  return (
    <ul ref={list} aria-label={label} className="relative" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().flatMap((row) =>
        items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={row.index * columns + column + 1}
            className="absolute top-0 left-0"
            style={{
              width: boxWidth,
              height,
              transform: `translate(${column * (boxWidth + gap)}px, ${row.start - top}px)`,
            }}
          >
            {children(item)}
          </li>
        )),
      )}
    </ul>
  )
}

/** A decorative picture: two shelves of games, with the common games highlighted. */
const shelves = [
  [
    { height: 78, common: false },
    { height: 92, common: true },
    { height: 70, common: false },
    { height: 84, common: true },
    { height: 96, common: false },
    { height: 74, common: true },
    { height: 88, common: false },
  ],
  [
    { height: 86, common: true },
    { height: 72, common: false },
    { height: 90, common: false },
    { height: 80, common: true },
    { height: 94, common: true },
    { height: 68, common: false },
    { height: 82, common: false },
  ],
]
const WIDTH = 40
const GAP = 8

export function Shelf() {
  return (
    <svg aria-hidden viewBox="0 0 380 290" className="frosted hidden w-full rounded-card sm:block">
      {shelves.map((spines, row) => (
        <g key={row} transform={`translate(26 ${row * 128 + 22})`}>
          {spines.map(({ height, common }, place) => (
            <g key={place} transform={`translate(${place * (WIDTH + GAP)} ${100 - height})`}>
              <rect
                width={WIDTH}
                height={height}
                rx="6"
                className={common ? 'fill-mint' : place % 2 ? 'fill-idle/70' : 'fill-raised'}
              />
              <rect
                x="10"
                y="12"
                width={WIDTH - 20}
                height="5"
                rx="2.5"
                className={common ? 'fill-ground/60' : 'fill-soft/45'}
              />
            </g>
          ))}
          <rect y="102" width="328" height="6" rx="3" className="fill-soft/70" />
        </g>
      ))}
    </svg>
  )
}

/** The animated background of four blobs; they stand still with prefers-reduced-motion (LOOK-21). */
export function Blobs() {
  return (
    // As wide as the window with its scrollbar, so that the blobs do not move when one appears.
    <div
      aria-hidden
      className="pointer-events-none fixed inset-y-0 left-0 -z-10 w-screen overflow-hidden bg-ground"
    >
      <div className="blob -top-[28vmax] -left-[18vmax] animate-drift-1 bg-radial from-glow-teal to-transparent to-70%" />
      <div className="blob -top-[20vmax] -right-[24vmax] animate-drift-2 bg-radial from-glow-violet to-transparent to-70%" />
      <div className="blob -bottom-[34vmax] -left-[10vmax] animate-drift-3 bg-radial from-glow-blue to-transparent to-70%" />
      <div className="blob -right-[14vmax] -bottom-[30vmax] animate-drift-4 bg-radial from-glow-rose to-transparent to-70%" />
      {/* The light ends before the scrollbar, which would cut it off. */}
      <div className="absolute inset-y-0 right-0 w-40 bg-linear-to-l from-ground from-10% to-transparent max-lg:hidden" />
    </div>
  )
}

/** The classes of buttons that open a menu, and of what stands there before they load. */
export const person =
  "grid size-8 flex-none cursor-pointer place-items-center rounded-full border-0 bg-tint text-sm font-semibold text-brand"
export const phoneLink = [
  "relative flex min-h-12 flex-1 cursor-pointer flex-col items-center justify-center gap-1 rounded-control border-0",
  "bg-transparent px-2 text-xs font-semibold no-underline"
].join(" ")

/** A word or a sign that lies on a picture. What can be pressed is as large as a finger needs. */
export const onPicture = [
  "absolute z-10 inline-flex min-h-6 items-center gap-1 rounded-tile border-0 px-2",
  "bg-veil text-xs font-semibold text-on-veil tabular-nums after:absolute after:-inset-2"
].join(" ")

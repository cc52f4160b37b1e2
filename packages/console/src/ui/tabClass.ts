/** The head of a tab, on the line above what it opens. */
export const tabClass =
  "inline-flex min-h-touch flex-none cursor-pointer items-center gap-2 border-0 border-b-2 border-transparent text-sm text-soft -outline-offset-2 hover:text-ink selected:border-brand selected:font-semibold selected:text-ink"

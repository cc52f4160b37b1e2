/** Around the number of today. */
export const todayBadge =
  "inline-grid h-room min-w-room place-items-center rounded-full bg-brand px-1 font-semibold text-on-brand"

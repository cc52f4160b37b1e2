/** `1 account`, `2 accounts`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`

/** `2026-11-22 08:00:00Z`: a time of the API, to the second. */
export const shortTime = (time: string | null): string | null =>
  time === null ? null : time.replace("T", " ").replace(/\.\d+Z$/, "Z")

/** `29.1 MB`. */
export const bytes = (n: number): string => {
  if (n < 1000) return `${n} B`
  const exponent = Math.min(Math.floor(Math.log10(n) / 3), 4)
  return `${(n / 1000 ** exponent).toFixed(1)} ${["B", "kB", "MB", "GB", "TB"][exponent]}`
}

/** `45 s`, `12 min 05 s`, `3 h 20 min`, `4 d 6 h`. */
export const duration = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const two = (n: number) => String(n).padStart(2, "0")
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
  return `${Math.floor(minutes / (24 * 60))} d ${Math.floor(minutes / 60) % 24} h`
}

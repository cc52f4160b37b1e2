import type { Finding } from "@carillon/domain"

export const ok = (check: string, found: string, advice: string | null = null): Finding => ({
  check,
  level: "ok",
  found,
  advice
})
export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  level: "warning",
  found,
  advice
})
export const problem = (check: string, found: string, advice: string): Finding => ({
  check,
  level: "problem",
  found,
  advice
})

export const bytes = (count: number) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"]
  const power = Math.min(count < 1 ? 0 : Math.floor(Math.log2(count) / 10), units.length - 1)
  return `${(count / 1024 ** power).toFixed(power > 2 ? 1 : 0)} ${units[power]}`
}

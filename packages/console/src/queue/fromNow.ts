/** `in 5 h 40 min` */
export const fromNow = (milliseconds: number): string => {
  const minutes = Math.max(Math.round(milliseconds / 60_000), 1)
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (days > 0) return hours === 0 ? `in ${days} d` : `in ${days} d ${hours} h`
  if (hours > 0) return rest === 0 ? `in ${hours} h` : `in ${hours} h ${rest} min`
  return `in ${rest} min`
}

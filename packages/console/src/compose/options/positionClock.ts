/** `0:04.2` */
export const positionClock = (milliseconds: number): string => {
  const tenths = Math.round(milliseconds / 100)
  const seconds = Math.floor(tenths / 10)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}.${tenths % 10}`
}

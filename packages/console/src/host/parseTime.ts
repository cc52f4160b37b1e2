/** Reads `8:30`, `08.30`, `8:30 PM` and `8 pm` as `HH:MM`. */
export const parseTime = (text: string): string | undefined => {
  const [, hours, minutes = "00", half] =
    /^(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?)?$/i.exec(text.trim()) ?? []
  if (hours === undefined || (half === undefined && text.trim() === hours)) return undefined
  const hour = Number(hours)
  if (Number(minutes) > 59 || (half === undefined ? hour > 23 : hour < 1 || hour > 12)) return undefined
  const ofDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  return `${String(ofDay).padStart(2, "0")}:${minutes}`
}

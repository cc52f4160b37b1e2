/** Whether the names of an offered account contain what a person looks for. */
export const offerMatches =
  (wanted: string) =>
  ({
    display_name,
    username
  }: {
    readonly username: string
    readonly display_name: string | null
  }): boolean => {
    const text = wanted.trim().replace(/^@/, "").toLowerCase()
    return [username, display_name ?? ""].some((name) => name.toLowerCase().includes(text))
  }

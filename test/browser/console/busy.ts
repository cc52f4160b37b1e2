import type { Room } from "./test.ts"

const captions = [
  "Croissants: how we fold them",
  "Bells at dusk, every evening until Christmas",
  "The last tickets for tomorrow",
  "Saturday market is open",
  "We look for a baker with steady hands",
  "Jam of the month is quince",
  "Rye and walnut, back for the winter"
]

const dayAfter = (first: string, days: number) =>
  new Date(Date.parse(`${first}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** 36 accounts, and more than twelve posts a day: eight of the third day at one minute, one of nineteen a draft. */
export const busy = async ({ connect, upload, write }: Room, first: string, days: number) => {
  const accounts: Array<number> = []
  for (let index = 0; index < 36; index++) accounts.push(await connect(`north-${index + 1}`))
  const picture = await upload("bells.jpg")
  for (let index = 0; index < days * 12.5; index++) {
    const [day, turn] = [index % days, Math.floor(index / days)]
    const time =
      day === 2 && turn < 8 ? "09:00" : `${String(7 + turn).padStart(2, "0")}:${turn % 3 === 0 ? "30" : "00"}`
    await write({
      social_accounts: [0, 1, 2].slice(0, 1 + (index % 3)).map((step) => accounts[(index + step) % 36]),
      caption: captions[index % captions.length],
      media: turn === 0 && day % 3 === 0 ? [picture] : [],
      is_draft: index % 19 === 0,
      scheduled_at: `${dayAfter(first, day)}T${time}[Europe/Paris]`
    })
  }
}

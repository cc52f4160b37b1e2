import type { Room } from "./test.ts"

/** A post that a network published, one refused, one may have, one wants to be signed in to, and one takes later. */
export const outcomes = async ({ connect, script, upload, write }: Room) => {
  const named = async (name: string, ...faults: Parameters<Room["script"]>[1]) => {
    const id = await connect(name)
    await script(name, faults)
    return id
  }
  const bakery = await named("bakery")
  const mill = await named("mill", {
    on: "post",
    fault: "refuse",
    code: "banned_word",
    message: "The word “free” is not allowed here."
  })
  const quay = await named("quay-none", { on: "post", fault: "effect_then_lost_reply" })
  const harbour = await named(
    "harbour",
    { on: "post", fault: "unauthorized" },
    { on: "session", fault: "unauthorized" }
  )
  const tower = await named("tower", { on: "post", fault: "rate_limited", retry_after: 7_200 })
  const post = await write({
    social_accounts: [bakery, mill, quay, harbour, tower],
    caption:
      "A glimpse of Tuesday’s rehearsal, the choir at full height.\nThe whole of it on Friday at seven, doors at half past six. #choir #advent",
    media: [await upload("choir-rehearsal.jpg")],
    account_configurations: [
      { account_id: mill, caption: "The choir at full height, and the entrance is free." }
    ]
  })
  return { bakery, harbour, mill, post, quay }
}

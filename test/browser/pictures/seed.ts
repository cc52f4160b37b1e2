import type { SandboxProcess } from "@carillon/sandbox/testing"
import { connectInBrowser } from "@carillon/testing/ConsentVisit"
import { callWith, connectApp, type PlainBrowser, tickedOf } from "@carillon/testing/OAuthBrowser"
import { Service, type ServiceProcess } from "@carillon/testing/ServiceProcess"
import { uprightVideo } from "@carillon/testing/UprightVideo"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import sharp from "sharp"

/** The service's clock stands in this minute: a Wednesday in the middle of a month, 10:00 in Paris. */
export const begins = "2026-12-09T09:00:00Z"
export const timezone = "Europe/Paris"

const bells = readFileSync(join(import.meta.dirname, "../../../examples/media/bells.jpg"))

/** One call of a service; an error if it is refused. */
export const caller =
  (service: ServiceProcess) =>
  async (method: string, path: string, body?: unknown): Promise<any> => {
    // Lists are in the order of time, and a millisecond of the slow clock takes sixty.
    if (method === "POST") await setTimeout(100)
    const answer = await Effect.runPromise(service.call(method, path, body))
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

export type World = Awaited<ReturnType<typeof seed>>

interface Given {
  readonly service: ServiceProcess
  readonly sandbox: SandboxProcess["Service"]
  readonly owner: PlainBrowser
}

/** Everything that the pictures show, made in the same order each time. */
export const seed = async ({ owner, sandbox, service }: Given) => {
  const call = caller(service)
  const upload = async (bytes: Uint8Array, type: string, name: string) => {
    await setTimeout(100)
    return Effect.runPromise(service.upload(bytes, type, name))
  }
  const connect = async (username: string, platform = "sandbox", credentials?: object): Promise<number> => {
    const typed = credentials ?? { username, password: "sandbox" }
    return (await call("POST", "/v1/social-accounts", { platform, credentials: typed })).id
  }
  const script = (username: string, ...faults: Parameters<typeof sandbox.script>[1]) =>
    Effect.runPromise(sandbox.script(username, faults))
  const post = async (body: object): Promise<{ readonly id: string; readonly results: Array<any> }> =>
    call("POST", "/v1/posts", body)
  /** The post as soon as so many of its accounts wait for another try, and the others for nothing. */
  const published = async (
    accounts: ReadonlyArray<number>,
    caption: string,
    { waiting = 0, ...more }: { readonly waiting?: number; readonly [key: string]: unknown } = {}
  ) => {
    const { id } = await post({ social_accounts: accounts, caption, ...more })
    for (;;) {
      const now = await call("GET", `/v1/posts/${id}`)
      const over = now.results.filter(({ status }: any) => !["waiting", "publishing"].includes(status))
      const tried = now.results.filter(({ error, status }: any) => status === "waiting" && error !== null)
      if (over.length === accounts.length - waiting && tried.length === waiting) return now
      await setTimeout(200)
    }
  }

  const names = [
    "bakery",
    "mill",
    "quay-none",
    "harbour",
    "tower",
    "northshop",
    "orchard",
    "closed",
    "lantern"
  ] as const
  const id = {} as Record<(typeof names)[number], number>
  for (const name of names) id[name] = await connect(name)
  const granary = await connect("granary")
  const bluesky = await connect("", "bluesky", {
    identifier: "bakery.bsky.sandbox",
    app_password: "bell-bell-bell-bell"
  })
  const demos = (await call("GET", "/v1/social-accounts?limit=100")).data
  const demo = (platform: string): number =>
    demos.find((one: any) => one.platform === platform && one.demo !== null).id
  const [gallery] = await Effect.runPromise(
    Effect.provideService(connectInBrowser("instagram", "gallery"), Service, service)
  )

  const picture = await upload(bells, "image/jpeg", "bells.jpg")
  await call("PATCH", `/v1/media/${picture}`, {
    alt_text: "A clock tower at sunset, its three bells lit from within"
  })
  const sized = async (name: string, width: number, height: number) =>
    upload(await sharp(bells).resize(width, height).jpeg().toBuffer(), "image/jpeg", name)
  const upright = await sized("tower-at-dusk.jpg", 960, 1200)
  await sized("square.jpg", 1200, 1200)
  await sized("evening-sky.jpg", 1600, 800)
  const video = await upload(uprightVideo(), "video/mp4", "choir.mp4")

  await call("PUT", "/v1/queue", {
    slots: ["mon", "tue", "wed", "thu", "fri"].flatMap((day) =>
      ["11:00", "16:00"].map((time) => ({ day, time }))
    )
  })
  const at = (day: number, time: string) => `2026-12-${String(day).padStart(2, "0")}T${time}[${timezone}]`
  for (const [day, time, caption] of [
    [15, "11:00", "Soup of the week is pumpkin"],
    [15, "16:00", "Baking class: two places left"],
    [16, "11:00", "Rye and walnut, back for the winter"]
  ] as const)
    await post({ social_accounts: [id.bakery], caption, scheduled_at: at(day, time), media: [picture] })
  const captions = [
    "Carols under the tower at five",
    "Jam of the month is quince",
    "Advent on the square",
    "Saturday market is open",
    "Bells at dusk, every evening",
    "Chestnut cake is back",
    "Open late on Thursday",
    "The choir sings at six, and the entrance is free for everybody who brings a lantern of their own"
  ]
  const planned: Array<string> = []
  for (const [index, caption] of captions.entries()) {
    const illustrated = index % 3 === 0
    const made = await post({
      social_accounts: [
        id.bakery,
        ...(index % 2 === 0 ? [id.northshop] : []),
        ...(illustrated ? [demo("instagram")] : [])
      ],
      caption,
      ...(illustrated ? { media: [picture] } : {}),
      scheduled_at: at(10 + index * 2, `${String(9 + ((index * 5) % 10)).padStart(2, "0")}:30`)
    })
    planned.push(made.id)
  }
  for (let hour = 8; hour < 16; hour++)
    await post({
      social_accounts: [hour % 2 === 0 ? id.mill : id.orchard],
      caption: `Loaf number ${hour - 7} of the day`,
      scheduled_at: at(17, `${String(hour).padStart(2, "0")}:00`)
    })
  for (let lane = 0; lane < 5; lane++)
    await post({
      social_accounts: [id.orchard],
      caption: `At nine, lane ${lane + 1}`,
      scheduled_at: at(18, "09:00")
    })
  await post({
    social_accounts: [id.bakery],
    caption: "Between the years: some of us",
    is_draft: true,
    scheduled_at: at(28, "10:00")
  })
  await post({
    social_accounts: [id.tower],
    caption: "Three posts about the tower",
    thread: ["It is old.", "It is tall."],
    scheduled_at: at(11, "14:00")
  })

  // What has gone out, one after the other.
  const live = await published([id.bakery, id.northshop], "The shop is open", { media: [picture] })
  const seconds = (count: number) => ({ on: "media", fault: "slow", ms: count * 1_000 }) as const
  await script("bakery", seconds(0))
  await script("mill", seconds(1), {
    on: "post",
    fault: "refuse",
    code: "banned_word",
    message: "The word “free” is not allowed here."
  })
  await script("quay-none", seconds(2), { on: "post", fault: "effect_then_lost_reply", times: 2 })
  await script(
    "harbour",
    seconds(3),
    { on: "post", fault: "unauthorized" },
    { on: "session", fault: "unauthorized" }
  )
  await script("tower", seconds(4), { on: "post", fault: "rate_limited", retry_after: 7_200 })
  const everything = await published(
    [id.bakery, id.mill, id["quay-none"], id.harbour, id.tower],
    "A glimpse of Tuesday’s rehearsal, the choir at full height.\nThe whole of it on Friday at seven, doors at half past six. #choir #advent",
    {
      waiting: 2,
      media: [picture],
      account_configurations: [
        { account_id: id.mill, caption: "The choir at full height, and the entrance is free." }
      ]
    }
  )
  const doubt = await published([id["quay-none"]], "Behind the stall: flour and hands")
  await script("closed", { on: "post", fault: "forbidden", times: 2 })
  const failed = await published([id.closed], "Lunch: soup and a roll")
  await published([id.closed], "Two places free at the workshop")
  await script("orchard", { on: "post", fault: "refuse", message: "No free words." })
  const broken = await published([id.orchard], "Soup, and a free word")
  await published([id.orchard], "Soup, and a kind word", { repairs: broken.results[0].id })
  await script("mill", { on: "post", fault: "refuse", message: "No loud words." })
  const loud = await published([id.mill], "HEAR, and a loud word")
  const mending = await post({
    social_accounts: [id.mill],
    caption: "Hear, and a soft word",
    is_draft: true,
    repairs: loud.results[0].id
  })
  await script(
    "northshop",
    { on: "post", fault: "slow", ms: 0 },
    { on: "post", fault: "refuse", code: "banned_word", message: "Not this picture." }
  )
  const thread = await published([id.northshop], "The bells of the tower, in three posts.", {
    thread: ["The oldest one rings at six.", "The smallest one rings last."]
  })
  await script("lantern", { on: "post", fault: "rate_limited", retry_after: 7_200 })
  const waiting = await published([id.lantern], "Open until sevn", { waiting: 1 })
  for (const [account, day, caption] of [
    [id.harbour, 10, "Bells at dusk, from the roof"],
    [id.harbour, 11, "Rye and walnut is back"],
    [granary, 12, "Flour from the new harvest"]
  ] as const)
    await post({ social_accounts: [account], caption, scheduled_at: at(day, "12:15") })
  await call("DELETE", `/v1/social-accounts/${granary}`)

  // What an app may only propose.
  const app = await connectApp(owner, {
    choose: (html) => [...tickedOf(html), ["approval", "yes"]],
    resource: `${service.publicUrl}/v1`
  })
  await setTimeout(100)
  const held = await callWith(service.url, app.tokens.access_token, "/v1/posts", {
    method: "POST",
    body: JSON.stringify({
      social_accounts: [id.bakery],
      caption: "The first loaves are out of the oven.",
      scheduled_at: at(12, "07:00")
    })
  })
  if (held.status !== 201) throw new Error(JSON.stringify(held.body))

  const text =
    "The evening bells ring at six, every day until Christmas. Come early: the stalls stay warm, the rye rolls too, and the " +
    "choir hums along from the bakery steps.\n\nFree, outside, no seats: https://north.example/bells\n\n#bells #advent @choir.example"
  const draft = async (body: object) => (await post({ is_draft: true, caption: text, ...body })).id
  const drafts = {
    written: await draft({
      social_accounts: [id.northshop, demo("instagram"), demo("tiktok")],
      media: [picture, upright],
      scheduled_at: at(14, "18:00")
    }),
    long: await draft({
      social_accounts: [id.bakery, id.mill, demo("instagram")],
      caption: "b".repeat(511),
      platform_configurations: { sandbox: { title: "t".repeat(101) } },
      scheduled_at: at(14, "18:00")
    }),
    thread: await draft({
      social_accounts: [id.bakery, gallery!],
      caption: "The bells of the tower, in three posts.",
      thread: [{ caption: "The oldest one rings at six.", media: [picture] }, "The smallest one rings last."],
      thread_fallback: "join"
    }),
    own: await draft({
      social_accounts: [id.bakery, id.northshop],
      caption: "One picture for all, and another one for the shop",
      media: [picture],
      platform_configurations: { sandbox: { title: "For both" } },
      account_configurations: [
        { account_id: id.northshop, caption: "The shop rings too.", media: [upright], title: "For the shop" }
      ]
    }),
    pictures: await draft({
      social_accounts: [
        ...["tiktok", "instagram", "pinterest", "facebook", "linkedin", "threads", "twitter"].map(demo),
        bluesky,
        id.bakery
      ],
      media: [picture, upright],
      platform_configurations: {
        tiktok: { privacy_level: "SELF_ONLY", title: "Bells at dusk", photo_cover_index: 1 },
        instagram: { collaborators: ["choir", "bakery"], first_comment: "Doors at five." },
        bluesky: { langs: ["en"] }
      }
    }),
    video: await draft({
      social_accounts: ["youtube", "tiktok", "instagram"].map(demo),
      media: [video],
      platform_configurations: {
        youtube: {
          title: "Bells at dusk",
          made_for_kids: false,
          tags: ["bells"],
          video_cover_timestamp_ms: 100
        }
      }
    }),
    clash: await draft({ social_accounts: [id.bakery], caption: "The bells ring at six" }),
    queued: await draft({ social_accounts: [id.bakery], caption: "Whenever there is room" })
  }
  return {
    call,
    service,
    id,
    demo,
    picture,
    video,
    live,
    everything,
    doubt,
    failed,
    broken,
    loud,
    mending,
    thread,
    waiting,
    planned: planned[1]!,
    illustrated: planned[3]!,
    drafts
  }
}

import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { connectAccount } from "@carillon/testing/ConnectedAccount"
import { connect, create, eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { sixSeconds } from "@carillon/testing/Videos"
import { agent } from "./Agent.ts"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

const tuesday = "2098-03-04"
const wednesday = "2098-03-05"

const read = Effect.fnUntraced(function* (path: string) {
  return (yield* (yield* Service).call("GET", path)).body
})

layer(SharedService, { excludeTestServices: true })("an agent that plans with the tools alone", (it) => {
  it.effect("17. describes every picture that has no description", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const ids: Array<string> = []
      for (const name of ["task17 tower.jpg", "task17 bread.jpg", "task17 told.jpg"])
        ids.push(yield* service.upload(picture, "image/jpeg", name))
      yield* service.call("PATCH", `/v1/media/${ids[2]}`, { alt_text: "Told already" })
      const { call, ends } = yield* agent("17. Describe the task17 pictures that have no description")
      const { is } = yield* call("list_media", { query: "task17", type: "image" })
      const bare = is.media.filter((one: any) => one.alt_text === null)
      for (const { id, name } of bare)
        yield* call("complete_media_upload", { media_id: id, alt_text: `A picture of ${name}` })
      ends(3, 1_800)
      assert.deepStrictEqual(
        yield* Effect.forEach(ids, (id) => Effect.map(read(`/v1/media/${id}`), ({ alt_text }) => alt_text)),
        ["A picture of task17 tower.jpg", "A picture of task17 bread.jpg", "Told already"]
      )
    })
  )

  it.effect("18. says which account posted least lately, and which has nothing planned", () =>
    Effect.gen(function* () {
      const [busy, idle] = [yield* connect("task18-busy"), yield* connect("task18-idle")]
      for (const caption of ["One", "Two"])
        yield* settled((yield* create({ social_accounts: [busy], caption })).id)
      yield* settled((yield* create({ social_accounts: [idle], caption: "Once" })).id)
      yield* create({ social_accounts: [idle], caption: "Later", scheduled_at: inSeconds(7200) })
      const { call, ends } = yield* agent(
        "18. Which task18 account posted least, and which has nothing planned?"
      )
      const { is } = yield* call("list_accounts", { query: "task18" })
      ends(1, 500)
      assert.deepStrictEqual(
        is.accounts.map(({ id, planned, published_30d }: any) => [id, published_30d, planned]).toSorted(),
        [
          [busy, 2, 0],
          [idle, 1, 1]
        ].toSorted()
      )
    })
  )

  it.effect("19. moves a day's posts, except the reel", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const instagram = yield* connectAccount("instagram", "task19")
      const film = yield* service.upload(yield* sixSeconds(), "video/mp4", "task19.mp4")
      const still = yield* service.upload(picture, "image/jpeg", "task19.jpg")
      const at = (hour: number) => `${tuesday}T${hour}:00[Europe/Berlin]`
      const post = (media: string, hour: number) =>
        create({
          social_accounts: [instagram],
          caption: `At ${hour}`,
          media: [media],
          scheduled_at: at(hour)
        })
      const [first, reel, last] = [yield* post(still, 10), yield* post(film, 12), yield* post(still, 15)]
      const { call, ends } = yield* agent(
        `19. Move everything of ${tuesday} to the next day, at the same times, except the reel`
      )
      const { is } = yield* call("show_calendar", { from: tuesday, to: tuesday, timezone: "Europe/Berlin" })
      const others = is.days[0].posts.filter(({ kind }: any) => !kind.includes("reel"))
      const moved = yield* call("change_posts", {
        update: others.map(({ id, time }: any) => ({
          post_id: id,
          scheduled_at: `${wednesday}T${time}[${is.timezone}]`
        }))
      })
      assert.strictEqual(moved.is.failed, 0, moved.text)
      ends(2, 1_500)
      assert.deepStrictEqual(
        yield* Effect.forEach([first, reel, last], ({ id }) =>
          Effect.map(read(`/v1/posts/${id}`), ({ scheduled_at }) => scheduled_at)
        ),
        [`${wednesday}T09:00:00.000Z`, `${tuesday}T11:00:00.000Z`, `${wednesday}T14:00:00.000Z`]
      )
    })
  )

  it.effect("20. plans a list of texts of which one has no time, and queues that one", () =>
    Effect.gen(function* () {
      const account = yield* connect("task20")
      const { call, ends } = yield* agent("20. Plan these for @task20: Mon 9 bread, Tue 9 cake, and rolls")
      const { is: listed } = yield* call("list_accounts", { query: "task20" })
      const social_accounts = [listed.accounts[0].id]
      const plan = yield* call("change_posts", {
        create: [
          { social_accounts, caption: "Bread", scheduled_at: "2098-04-07T09:00" },
          { social_accounts, caption: "Rolls" },
          { social_accounts, caption: "Cake", scheduled_at: "2098-04-08T09:00" }
        ],
        idempotency_key: "task20"
      })
      assert.strictEqual(plan.is.failed, 1, plan.text)
      const refused = plan.is.outcomes.find((one: any) => !one.done)
      assert.match(plan.text, /time_required[^]*scheduled_at, use_queue or is_draft: true/)
      assert.isDefined(refused)
      const queued = yield* call("create_post", { social_accounts, caption: "Rolls", use_queue: true })
      assert.match(queued.is.what_happened, /^It is scheduled/)
      ends(3, 2_000)
      const { data } = yield* read(`/v1/posts?social_account_id=${account}`)
      assert.sameMembers(
        data.map(({ caption, status }: any) => `${caption} ${status}`),
        ["Bread scheduled", "Rolls scheduled", "Cake scheduled"]
      )
    })
  )

  it.effect("21. finds what is held up, and says where the person mends it", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("task21")
      yield* sandbox.script("task21", [
        { on: "post", fault: "unauthorized" },
        { on: "session", fault: "unauthorized" }
      ])
      const { id } = yield* create({ social_accounts: [account], caption: "Held up" })
      yield* eventually(id, ({ results }) => results[0].waiting_for === "account")
      const { call, ends } = yield* agent("21. Is anything stuck?")
      const { is } = yield* call("list_posts", { result: "waiting" })
      const stuck = is.posts.find((post: any) => post.id === id)
      assert.deepInclude(stuck.trouble[0], {
        account: "sandbox @task21",
        action: "reconnect_account",
        where: `${service.publicUrl}/app/accounts`
      })
      ends(1, 800)
    })
  )

  it.effect("22. deletes drafts that were planned for long ago, and no others", () =>
    Effect.gen(function* () {
      const account = yield* connect("task22")
      const draft = (caption: string, scheduled_at: string | null) =>
        create({ social_accounts: [account], caption, is_draft: true, scheduled_at })
      yield* draft("Old", "2020-05-05T09:00:00Z")
      yield* draft("Older", "2019-05-05T09:00:00Z")
      yield* draft("To come", "2098-05-05T09:00:00Z")
      yield* create({ social_accounts: [account], caption: "No draft", scheduled_at: "2098-05-06T09:00:00Z" })
      const { call, ends } = yield* agent(
        `22. Delete the drafts of the account ${account} that were planned before June 2020`
      )
      const { is } = yield* call("list_posts", { status: "draft", account_id: account, to: "2020-05-31" })
      const gone = yield* call("change_posts", { delete: is.posts.map(({ id }: any) => id) })
      assert.strictEqual(gone.is.failed, 0, gone.text)
      ends(2, 1_200)
      const { data } = yield* read(`/v1/posts?social_account_id=${account}`)
      assert.sameMembers(
        data.map(({ caption }: any) => caption),
        ["To come", "No draft"]
      )
    })
  )

  it.effect("23. makes a picture a story", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* connectAccount("instagram", "task23")
      yield* service.upload(picture, "image/jpeg", "task23.jpg")
      const { call, ends } = yield* agent(
        "23. The picture task23.jpg as a story of @task23, on 5 May 2098 at 9 UTC"
      )
      const { is: listed } = yield* call("list_accounts", { query: "task23" })
      const { is: library } = yield* call("list_media", { query: "task23" })
      const story = yield* call("create_post", {
        social_accounts: [listed.accounts[0].id],
        media: [library.media[0].id],
        scheduled_at: "2098-05-05T09:00Z",
        platform_configurations: { instagram: { placement: "story" } }
      })
      assert.isFalse(story.isError, story.text)
      ends(3, 1_600)
      const shown = yield* call("show_calendar", { from: "2098-05-05", to: "2098-05-05" })
      assert.match(shown.text, /story/)
    })
  )

  it.effect("24. writes a thread, and joins it where there are none", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      yield* connect("task24")
      yield* connectAccount("instagram", "task24pictures")
      yield* (yield* Service).upload(picture, "image/jpeg", "task24.jpg")
      const { call, ends } = yield* agent("24. A thread of three for @task24 and @task24pictures")
      const { is: listed } = yield* call("list_accounts", { query: "task24" })
      const { is: library } = yield* call("list_media", { query: "task24" })
      const post = {
        social_accounts: listed.accounts.map(({ id }: any) => id),
        caption: "One",
        media: library.media.map(({ id }: any) => id),
        thread: [{ caption: "Two" }, { caption: "Three" }]
      }
      const refused = yield* call("create_post", post)
      assert.isTrue(refused.isError)
      assert.match(refused.text, /thread_fallback/)
      const made = yield* call("create_post", { ...post, thread_fallback: "join" })
      assert.isFalse(made.isError, made.text)
      ends(4, 2_500)
      assert.strictEqual((yield* settled(made.is.id)).status, "published")
      assert.lengthOf(yield* sandbox.publications("task24"), 3)
      const { results } = yield* read(`/v1/posts/${made.is.id}`)
      assert.sameMembers(
        results.map(({ items, platform, status }: any) => `${platform} ${status} ${items?.length ?? 1}`),
        ["sandbox published 3", "instagram published 1"]
      )
    })
  )

  it.effect("25. goes out by the clock of another city, and says so", () =>
    Effect.gen(function* () {
      yield* connect("task25")
      const { call, ends } = yield* agent("25. To @task25 on 7 May 2098 at 9 in New York")
      const { is: listed } = yield* call("list_accounts", { query: "task25" })
      const made = yield* call("create_post", {
        social_accounts: [listed.accounts[0].id],
        caption: "Good morning, New York",
        scheduled_at: "2098-05-07T09:00[America/New_York]"
      })
      assert.include(made.is.what_happened, "2098-05-07T09:00:00.000-04:00[America/New_York]")
      ends(2, 900)
      assert.strictEqual((yield* read(`/v1/posts/${made.is.id}`)).scheduled_at, "2098-05-07T13:00:00.000Z")
    })
  )

  it.effect("26. takes everything of one account off the schedule, and keeps the texts and their times", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* connect("task26"), yield* connect("task26-other")]
      const scheduled_at = "2098-06-06T09:00:00Z"
      for (const caption of ["One", "Two"])
        yield* create({ social_accounts: [account], caption, scheduled_at })
      yield* create({ social_accounts: [other], caption: "Stays", scheduled_at })
      const { call, ends } = yield* agent("26. Pause everything of @task26, I want to look at it again")
      const { is: listed } = yield* call("list_accounts", { query: "task26" })
      const account_id = listed.accounts.find((one: any) => one.username === "task26").id
      const { is } = yield* call("list_posts", { account_id, status: "scheduled" })
      const paused = yield* call("change_posts", {
        update: is.posts.map(({ id }: any) => ({ post_id: id, is_draft: true }))
      })
      assert.strictEqual(paused.is.failed, 0, paused.text)
      ends(3, 2_000)
      const posts = [account, other].map((id) => read(`/v1/posts?social_account_id=${id}`))
      assert.sameMembers(
        (yield* Effect.all(posts)).flatMap(({ data }) =>
          data.map((post: any) => `${post.caption} ${post.status} ${post.scheduled_at.slice(0, 10)}`)
        ),
        ["One draft 2098-06-06", "Two draft 2098-06-06", "Stays scheduled 2098-06-06"]
      )
    })
  )
})

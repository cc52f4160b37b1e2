import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { connect, create, eventually, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import { sixSeconds } from "@carillon/testing/Videos"
import { agent } from "./Agent.ts"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

const idOf = (accounts: ReadonlyArray<any>, username: string) =>
  accounts.find((one) => one.username === username).id as number

/** 9 o'clock in Berlin on a day. */
const at9 = (date: string) => `${date}T09:00[Europe/Berlin]`

const friday = "2097-03-08"
const monday = "2097-03-11"

layer(SharedService, { excludeTestServices: true })("an agent that knows only the tools", (it) => {
  it.effect(
    "1. sends a picture from its disk to two accounts tomorrow at 9 in Berlin, with two captions",
    () =>
      Effect.gen(function* () {
        yield* connect("task1-tiktok")
        yield* connect("task1-instagram")
        const folder = yield* TestDirectory.make
        writeFileSync(join(folder, "bells.jpg"), picture)
        const { call, ends } = yield* agent(
          "1. bells.jpg to @task1-tiktok and @task1-instagram tomorrow at 9 in Berlin"
        )
        const { is: listed } = yield* call("list_accounts", {})
        assert.match(listed.now, /\[UTC\]$/)
        const [tiktok, instagram] = ["task1-tiktok", "task1-instagram"].map((name) =>
          idOf(listed.accounts, name)
        )
        const upload = yield* call("create_media_upload", {
          mime_type: "image/jpeg",
          size_bytes: picture.length,
          name: "bells.jpg"
        })
        yield* Effect.promise(() => promisify(execFile)("bash", ["-c", upload.is.curl], { cwd: folder }))
        const media = yield* call("complete_media_upload", { media_id: upload.is.media_id })
        const post = yield* call("create_post", {
          social_accounts: [tiktok, instagram],
          media: [media.is.id],
          scheduled_at: at9(friday),
          account_configurations: [
            { account_id: tiktok, caption: "Short" },
            { account_id: instagram, caption: "Long" }
          ]
        })
        assert.include(post.is.what_happened, `${friday}T09:00:00.000+01:00[Europe/Berlin]`)
        ends(4, 2_500)
        yield* call("delete_post", { post_id: post.is.id })
      })
  )

  it.effect("2. says what goes out this week", () =>
    Effect.gen(function* () {
      const account = yield* connect("task2")
      yield* create({ social_accounts: [account], caption: "This week", scheduled_at: inSeconds(7200) })
      const { call, ends } = yield* agent("2. What goes out this week?")
      const week = yield* call("show_calendar", { timezone: "Europe/Berlin" })
      assert.match(week.text, /scheduled: "This week", text, sandbox @task2, id /)
      assert.strictEqual(week.is.timezone, "Europe/Berlin")
      ends(1, 3_000)
    })
  )

  it.effect("3. and 10. says why one account failed while another is live, and tries it again", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const accounts = [yield* connect("task3"), yield* connect("task3-youtube")]
      yield* sandbox.script("task3-youtube", [
        { on: "post", fault: "refuse", code: "quota", message: "The channel is full." }
      ])
      const { id } = yield* create({ social_accounts: accounts, caption: "Half" })
      assert.strictEqual((yield* settled(id)).status, "published")
      const why = yield* agent("10. Why did it fail?")
      const found = yield* why.call("list_posts", { result: "failed" })
      const [trouble] = found.is.posts.find((post: any) => post.id === id).trouble
      assert.deepInclude(trouble, { account: "sandbox @task3-youtube", status: "failed" })
      assert.include(trouble.why, "The channel is full.")
      why.ends(1, 1_500)
      const shown = yield* why.call("show_calendar", {})
      assert.match(shown.text, /! sandbox @task3-youtube: failed, .*The channel is full\./)

      const { call, ends } = yield* agent("3. The YouTube upload failed, try it again")
      const [post] = (yield* call("list_posts", { result: "failed" })).is.posts
      const again = yield* call("retry_post", { post_id: post.id })
      assert.match(again.is.what_happened, /being published now/)
      ends(2, 2_000)
      yield* eventually(id, ({ progress }) => progress.published === 2)
      assert.lengthOf(yield* sandbox.publications("task3"), 1)
    })
  )

  it.effect("3b. has the person decide about what may be live, and where", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("task3-none")
      yield* sandbox.script("task3-none", [{ on: "post", fault: "effect_then_lost_reply" }])
      const { id } = yield* create({ social_accounts: [account], caption: "Maybe" })
      yield* settled(id)
      const { call } = yield* agent("3b. Is it live?")
      const [post] = (yield* call("list_posts", { result: "unconfirmed" })).is.posts
      assert.strictEqual(post.trouble[0].where, `${service.publicUrl}/app/posts/${id}`)
      const whole = yield* call("get_post", { post_id: post.id })
      assert.include(whole.is.next_step, `${service.publicUrl}/app/posts/${id}`)
      assert.include(whole.is.next_step, "retry_post with not_live: true")
      const refused = yield* call("retry_post", { post_id: post.id })
      assert.match(
        refused.text,
        /\[nothing_to_retry\][^]*not_live: true, if the user says that it is not live/
      )
      assert.include(refused.text, `they find it at ${service.publicUrl}/app/activity`)
      // Nothing of it is on a platform.
      const fixed = yield* call("update_post", { post_id: post.id, caption: "Other" })
      assert.match(fixed.text, /\[post_not_editable\][^]*retry_post sends it again/)
      assert.notInclude(fixed.text, "platform itself")
      const again = yield* call("retry_post", { post_id: post.id, not_live: true })
      assert.isFalse(again.isError, again.text)
      assert.strictEqual((yield* settled(id)).status, "published")
    })
  )

  it.effect("3d. writes a post anew where its words were refused, once", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("task3-words")
      yield* sandbox.script("task3-words", [{ on: "post", fault: "refuse", message: "Not that word." }])
      const { id } = yield* create({ social_accounts: [account], caption: "That word" })
      yield* settled(id)
      const failed = yield* agent("3d. @task3-words refused my post, leave out the word")
      yield* failed.call("list_accounts", {})
      const [post] = (yield* failed.call("list_posts", { result: "failed", account_id: account })).is.posts
      const whole = yield* failed.call("get_post", { post_id: post.id })
      assert.match(whole.is.next_step, /create_post with repairs, the id of the failed result/)
      const asked = { social_accounts: [account], caption: "Another", repairs: whole.is.results[0].id }
      const draft = yield* failed.call("create_post", { ...asked, is_draft: true })
      assert.isFalse(draft.isError, draft.text)
      const twice = yield* failed.call("create_post", asked)
      assert.match(twice.text, /\[repair_in_progress\][^]*publish or delete that one/)
      const again = yield* failed.call("retry_post", { post_id: id })
      assert.match(again.text, /\[repair_in_progress\]/)
      const [open] = (yield* failed.call("list_posts", { result: "failed", account_id: account })).is.posts
      assert.include(open.trouble[0].why, `The post ${draft.is.id} stands in its place.`)
      assert.notInclude((yield* failed.call("get_post", { post_id: id })).is.next_step, "retry_post")
      yield* failed.call("publish_post", { post_id: draft.is.id })
      yield* settled(draft.is.id)
      assert.deepStrictEqual(
        (yield* failed.call("list_posts", { result: "failed", account_id: account })).is.posts,
        []
      )
      const after = yield* failed.call("get_post", { post_id: id })
      assert.strictEqual(after.is.results[0].repaired_by.post_id, draft.is.id)
      assert.notProperty(after.is, "next_step")
      const shown = yield* failed.call("show_calendar", { account_id: account })
      assert.notMatch(shown.text, /Not that word/)
      const live = yield* failed.call("retry_post", { post_id: id })
      assert.match(live.text, /\[already_repaired\]/)
      assert.lengthOf(yield* sandbox.publications("task3-words"), 1)
    })
  )

  it.effect("3c. finds a thread that broke off, and has it go on", () =>
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess
      const account = yield* connect("task3-thread")
      yield* sandbox.script("task3-thread", [
        { on: "post", fault: "slow", ms: 1 },
        { on: "post", fault: "refuse", message: "Too fast." }
      ])
      const { id } = yield* create({
        social_accounts: [account],
        caption: "One",
        thread: ["Two", "Three"].map((caption) => ({ caption }))
      })
      yield* settled(id)
      const { call } = yield* agent("3c. The rest of my thread is missing")
      const found = (yield* call("list_posts", { result: "failed" })).is.posts.find(
        (post: any) => post.id === id
      )
      assert.match(found.trouble[0].why, /^The last 2 posts of the thread are missing\..*Too fast\./)
      const whole = yield* call("get_post", { post_id: found.id })
      assert.include(
        whole.is.next_step,
        "continues the thread after its last live post on sandbox @task3-thread"
      )
      yield* call("retry_post", { post_id: found.id })
      yield* eventually(
        id,
        ({ results }) => results[0].failed_items === 0 && results[0].status === "published"
      )
      assert.lengthOf(yield* sandbox.publications("task3-thread"), 3)
    })
  )

  it.effect("4. moves all of Friday's posts to Monday", () =>
    Effect.gen(function* () {
      const account = yield* connect("task4")
      for (const hour of ["09", "12", "18"]) {
        const scheduled_at = `${friday}T${hour}:00[Europe/Berlin]`
        yield* create({ social_accounts: [account], caption: `At ${hour}`, scheduled_at })
      }
      const { call, ends } = yield* agent("4. Move all of Friday's posts to Monday")
      const { is } = yield* call("show_calendar", { from: friday, to: friday, timezone: "Europe/Berlin" })
      const moved = yield* call("change_posts", {
        update: is.days[0].posts.map(({ id, time }: any) => ({
          post_id: id,
          scheduled_at: `${monday}T${time}[${is.timezone}]`
        })),
        idempotency_key: "friday"
      })
      assert.deepStrictEqual([moved.is.outcomes.length, moved.is.failed], [3, 0])
      ends(2, 2_000)
      const after = yield* call("show_calendar", { from: monday, to: monday, timezone: "Europe/Berlin" })
      assert.deepStrictEqual(
        after.is.days[0].posts.map(({ time }: any) => time),
        ["09:00", "12:00", "18:00"]
      )
    })
  )

  it.effect(
    "5. uploads a video of 20 MB from its disk, and is told where it is asked to complete it before",
    () =>
      Effect.gen(function* () {
        const folder = yield* TestDirectory.make
        const film = yield* sixSeconds(20_000_000)
        writeFileSync(join(folder, "bells.mp4"), film)
        const { call, ends } = yield* agent("5. Upload bells.mp4")
        const { is } = yield* call("create_media_upload", {
          mime_type: "video/mp4",
          size_bytes: film.length,
          name: "bells.mp4"
        })
        const early = yield* call("complete_media_upload", { media_id: is.media_id })
        assert.match(early.text, /\[upload_incomplete\][^]*have the user open browser_upload_page/)
        assert.match(is.curl, /^curl --fail-with-body .*bells\.mp4/)
        yield* Effect.promise(() => promisify(execFile)("bash", ["-c", is.curl], { cwd: folder }))
        const { is: media } = yield* call("complete_media_upload", { media_id: is.media_id })
        assert.deepInclude(media, { id: is.media_id, size_bytes: film.length, duration_ms: 6000 })
        ends(3, 1_300)
      })
  )

  it.effect("6. makes a carousel of library pictures with a board by its name", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* connect("task6-instagram")
      yield* connect("task6-pinterest")
      for (const name of ["task6 one.jpg", "task6 two.jpg"])
        yield* service.upload(picture, "image/jpeg", name)
      const { call, ends } = yield* agent(
        "6. The task6 pictures as a carousel, on Pinterest on the board Recipes"
      )
      const { is: listed } = yield* call("list_accounts", {})
      const { is: library } = yield* call("list_media", { query: "task6" })
      yield* call("get_platform_options", { platform: "pinterest" })
      const post = {
        social_accounts: ["task6-instagram", "task6-pinterest"].map((name) => idOf(listed.accounts, name)),
        caption: "Carousel",
        media: library.media.map(({ id }: any) => id),
        platform_configurations: { pinterest: { board_ids: ["Recipes"] } },
        is_draft: true
      }
      const made = yield* call("create_post", post)
      assert.strictEqual(made.is.status, "draft", made.text)
      ends(4, 4_000)
    })
  )

  it.effect("7. names the accounts to connect again, and where", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const sandbox = yield* SandboxProcess
      const account = yield* connect("task7")
      yield* sandbox.script("task7", [
        { on: "post", fault: "unauthorized" },
        { on: "session", fault: "unauthorized" }
      ])
      const { id } = yield* create({ social_accounts: [account], caption: "Waits" })
      yield* eventually(id, ({ results }) => results[0].error?.action === "reconnect_account")
      const { call, ends } = yield* agent("7. Which accounts need reconnecting?")
      const { is } = yield* call("list_accounts", {})
      assert.deepInclude(
        is.accounts.find((one: any) => one.id === account),
        { needs_reconnect: true }
      )
      const where = `${service.publicUrl}/app/accounts`
      assert.strictEqual(is.reconnect_at, where)
      ends(1, 1_500)
      const [post] = (yield* call("list_posts", { account_id: account })).is.posts
      assert.deepInclude(post.trouble[0], { account: "sandbox @task7", action: "reconnect_account", where })
      const shown = yield* call("show_calendar", { account_id: account })
      assert.include(
        shown.text,
        '! sandbox @task7: waiting, "Nothing is published to it until it is connected again."'
      )
      const whole = yield* call("get_post", { post_id: id })
      assert.include(whole.is.next_step, `connect sandbox @task7 again at ${where}`)
      const more = yield* call("create_post", { social_accounts: [account], caption: "Waits too" })
      assert.match(more.is.what_happened, /but not to an account that has to be connected again/)
    })
  )

  it.effect("8. and 13. makes a draft that the person can look at, and publishes it when they say so", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* connect("task8")
      const drafts = yield* agent("8. A draft for my approval")
      const { is: listed } = yield* drafts.call("list_accounts", {})
      const social_accounts = [idOf(listed.accounts, "task8")]
      const draft = yield* drafts.call("create_post", {
        social_accounts,
        caption: "Look at me",
        is_draft: true
      })
      assert.match(draft.is.what_happened, /^It is a draft: nothing goes out\./)
      assert.include(draft.is.next_step, `${service.publicUrl}/app/posts/${draft.is.id}`)
      drafts.ends(2, 1_500)
      const { call, ends } = yield* agent("13. Publish the draft now")
      const [found] = (yield* call("list_posts", { status: "draft", query: "Look at me" })).is.posts
      const now = yield* call("publish_post", { post_id: found.id })
      assert.match(now.is.what_happened, /^It is being published now\./)
      yield* settled(found.id)
      const { is } = yield* call("get_post", { post_id: found.id })
      assert.match(is.results[0].platform_data.url, /^http/)
      ends(3, 2_000)
    })
  )

  it.effect("9. cancels everything for one account, and leaves the others of a post alone", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* connect("task9"), yield* connect("task9-other")]
      const scheduled_at = at9("2096-05-05")
      yield* create({ social_accounts: [account], caption: "Alone", scheduled_at })
      const shared = yield* create({ social_accounts: [account, other], caption: "Together", scheduled_at })
      const { call, ends } = yield* agent(`9. Cancel everything for the account ${account}, @task9`)
      const { is } = yield* call("list_posts", { account_id: account, status: "scheduled" })
      const only = is.posts.filter((post: any) => post.social_accounts.length === 1)
      const more = is.posts.filter((post: any) => post.social_accounts.length > 1)
      const cancelled = yield* call("change_posts", {
        delete: only.map(({ id }: any) => id),
        update: more.map((post: any) => ({
          post_id: post.id,
          social_accounts: post.social_accounts.filter((id: number) => id !== account)
        }))
      })
      assert.deepStrictEqual([cancelled.is.outcomes.length, cancelled.is.failed], [2, 0], cancelled.text)
      ends(2, 1_500)
      const left = yield* call("get_post", { post_id: shared.id })
      assert.deepStrictEqual(left.is.social_accounts, [other])
    })
  )

  it.effect("11. changes the caption of one account only", () =>
    Effect.gen(function* () {
      const [account, other] = [yield* connect("task11"), yield* connect("task11-instagram")]
      const scheduled_at = at9("2096-06-06")
      yield* create({ social_accounts: [account, other], caption: "Spring sale", scheduled_at })
      const { call, ends } = yield* agent("11. In Spring sale change Instagram's caption only")
      const [found] = (yield* call("list_posts", { query: "Spring sale" })).is.posts
      const account_id = found.social_accounts[found.accounts.indexOf("sandbox @task11-instagram")]
      yield* call("update_post", {
        post_id: found.id,
        account_configurations: [{ account_id, caption: "Spring" }]
      })
      ends(2, 1_200)
      const { is } = yield* call("preview_post", {
        social_accounts: [account_id],
        caption: "Spring sale",
        is_draft: true
      })
      assert.strictEqual(is.goes_out, "never")
      const { is: whole } = yield* call("get_post", { post_id: found.id })
      assert.deepInclude(whole, {
        caption: "Spring sale",
        account_configurations: [{ account_id: other, caption: "Spring" }]
      })
    })
  )

  it.effect("12. queues three posts", () =>
    Effect.gen(function* () {
      yield* connect("task12")
      const { call, ends } = yield* agent("12. Queue three posts")
      const { is: listed } = yield* call("list_accounts", {})
      const social_accounts = [idOf(listed.accounts, "task12")]
      const queued = yield* call("change_posts", {
        create: ["One", "Two", "Three"].map((caption) => ({ social_accounts, caption, use_queue: true }))
      })
      assert.strictEqual(queued.is.failed, 0, queued.text)
      for (const { what_happened } of queued.is.outcomes) assert.match(what_happened, /^It is scheduled/)
      ends(2, 2_500)
    })
  )

  it.effect("14. deletes a picture", () =>
    Effect.gen(function* () {
      const service = yield* Service
      yield* service.upload(picture, "image/jpeg", "task14.jpg")
      const { call, ends } = yield* agent("14. Delete the picture task14.jpg")
      const [item] = (yield* call("list_media", { query: "task14.jpg" })).is.media
      const gone = yield* call("delete_media", { media_id: item.id })
      assert.isTrue(gone.is.deleted)
      ends(2, 700)
    })
  )

  it.effect("15. repeats a call whose answer was lost, and makes no second post", () =>
    Effect.gen(function* () {
      const account = yield* connect("task15")
      const { call, ends } = yield* agent(`15. Post to the account ${account}`)
      const args = {
        social_accounts: [account],
        caption: "Once",
        scheduled_at: at9("2096-07-07"),
        idempotency_key: "task15"
      }
      const first = yield* call("create_post", args)
      const again = yield* call("create_post", args)
      assert.strictEqual(again.is.id, first.is.id)
      ends(2, 1_200)
      const { is } = yield* call("list_posts", { account_id: account })
      assert.strictEqual(is.total, 1)
    })
  )

  it.effect("16. says that there are no numbers, and nothing that repeats", () =>
    Effect.gen(function* () {
      const { publicUrl } = yield* Service
      const { instructions, tools, ends } = yield* agent(
        "16. Last week's numbers, and repeat this every Monday"
      )
      assert.match(
        instructions,
        /There are no analytics such as views or likes, and no recurring posts: say so/
      )
      for (const room of ["accounts", "queue", "settings"]) {
        assert.include(instructions, `${publicUrl}/app/${room}`)
      }
      for (const { name } of tools) assert.notMatch(name, /stat|metric|insight|repeat|recur/)
      ends(0, 0)
    })
  )
})

import { readEvents } from "@carillon/testing/EventReader"
import {
  allAskedOf,
  callWith,
  connectApp,
  ownerName,
  promised,
  signedInBrowser
} from "@carillon/testing/OAuthBrowser"
import { inSeconds } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { InProcessService } from "../contract/InProcessService.ts"

const picture = readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url))

/** What the page of a link asks for, as a browser without cookies. */
const clientOf = (url: string, link: string) => {
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, {
      ...init,
      headers: { authorization: `Bearer ${new URL(link).hash.slice(1)}`, ...init.headers }
    })
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
  }
  const send = (body: unknown) =>
    ask("/review/answers", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body)
    })
  return {
    post: () => ask("/review/post"),
    send,
    /** About the version that is there now. */
    answer: async (given: object) =>
      send({
        name: "Bea",
        answer: null,
        comment: null,
        version: (await ask("/review/post")).body.version,
        ...given
      })
  }
}

let households = 0

/** A workspace with a key, an account, and posts about which clients are asked. */
const household = Effect.gen(function* () {
  const { makeKey, url, workspace } = yield* InProcessService
  return yield* promised(async () => {
    const token = await makeKey(workspace, ["admin"])
    const key = (method: string, path: string, body?: object) =>
      callWith(url, token, path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const made = async (path: string, body: object = {}) => {
      const answer = await key("POST", path, body)
      assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
      return answer.body
    }
    const account = await made("/v1/social-accounts", {
      platform: "sandbox",
      credentials: { username: `reviewed_${households++}`, password: "sandbox" }
    })
    const social_accounts = [account.id]
    const write = (more: object = {}) =>
      made("/v1/posts", { social_accounts, caption: "Bread", scheduled_at: inSeconds(7200), ...more })
    const linkTo = (post: { readonly id: string }, asked: object = {}) =>
      made(`/v1/posts/${post.id}/review-links`, asked)
    const said = async (post: { readonly id: string }) =>
      (await key("GET", `/v1/posts/${post.id}/client-reviews`)).body.data
    return { url, key, made, write, linkTo, said, social_accounts }
  })
})

layer(InProcessService.layer({ RATE_LIMIT_FAILED_AUTHENTICATIONS: "20" }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("a client's review", (it) => {
  it.effect("is asked for by a link that is shown once, and what it says is told to editors", () =>
    Effect.gen(function* () {
      const { key, linkTo, made, said, url, write } = yield* household
      const hook = yield* receiver()
      yield* promised(async () => {
        await made("/v1/webhooks", { url: hook.url, events: ["post.reviewed"] })
        const reserved = await made("/v1/media/create-upload-url", {
          mime_type: "image/jpeg",
          size_bytes: picture.length
        })
        await fetch(reserved.upload_url, {
          method: "PUT",
          body: new Uint8Array(picture),
          headers: { "content-type": "image/jpeg" }
        })
        const post = await write({ media: [reserved.media_id] })
        const { url: address, ...link } = await linkTo(post, { name: "The baker" })
        assert.match(address, /\/review#[\w-]{43}$/)
        assert.deepInclude(link, {
          name: "The baker",
          created_by: { type: "key", name: "admin" },
          last_opened_at: null
        })
        const days = (Date.parse(link.expires_at) - Date.parse(link.created_at)) / 86_400_000
        assert.strictEqual(days, 30)
        const listed = await key("GET", `/v1/posts/${post.id}/review-links`)
        assert.deepStrictEqual(listed.body, { data: [link] })

        const client = clientOf(url, address)
        const { body: shown, headers } = await client.post()
        assert.isNull(headers.get("set-cookie"))
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
        assert.deepInclude(shown, { version: post.version, is_open: true, yes_approves: false, reviews: [] })
        assert.deepInclude(shown.previews[0], { caption: "Bread", media: [reserved.media_id] })
        const file = await fetch(shown.media[0].url)
        assert.deepStrictEqual(Buffer.from(await file.arrayBuffer()), picture)
        // A stranger is told of an account what its network shows.
        assert.sameMembers(Object.keys(shown.accounts[0]), [
          "id",
          "platform",
          "username",
          "display_name",
          "avatar_url"
        ])

        const no = await client.answer({ name: " Bea\n", answer: "no", comment: "Rye, please. " })
        assert.strictEqual(no.status, 200, JSON.stringify(no.body))
        assert.deepInclude(no.body.reviews[0], { name: "Bea", answer: "no", comment: "Rye, please." })
        await client.answer({ answer: "yes" })
        const answers = await said(post)
        assert.deepStrictEqual(
          answers.map(({ answer, comment, link_name, version }: any) => [
            answer,
            comment,
            link_name,
            version
          ]),
          [
            ["yes", null, "The baker", post.version],
            ["no", "Rye, please.", "The baker", post.version]
          ]
        )
        const [other] = [clientOf(url, (await linkTo(post)).url)]
        assert.deepStrictEqual((await other.post().then(({ body }) => body)).reviews, [])
        const { body } = await key("GET", `/v1/posts/${post.id}/review-links`)
        assert.isNotNull(body.data[1].last_opened_at)
        const trail = await key("GET", "/v1/audit?action=review_link.created&limit=1")
        assert.deepInclude(trail.body.data[0].subject, { type: "post", id: post.id })
        await Effect.runPromise(until(() => hook.of(post.id).length === 2))
        assert.deepStrictEqual(
          hook.of(post.id).map(({ event }) => event.data),
          answers
            .toReversed()
            .map((review: any) => ({ id: post.id, social_accounts: post.social_accounts, review }))
        )
      })
    })
  )

  it.effect("is heard with a credential for some accounts as far as it sees the post", () =>
    Effect.gen(function* () {
      const { linkTo, made, social_accounts, url, write } = yield* household
      const { makeKey, workspace } = yield* InProcessService
      const [own] = social_accounts
      const other = yield* promised(() =>
        made("/v1/social-accounts", {
          platform: "sandbox",
          credentials: { username: `reviewed_${households++}`, password: "sandbox" }
        })
      )
      const keyFor = (account: number) => promised(() => makeKey(workspace, ["posts:read"], [account]))
      const { read } = yield* readEvents({ url, key: yield* keyFor(own) }, { query: "?types=post.reviewed" })
      const say = (accounts: ReadonlyArray<number>, comment: string) =>
        promised(async () => {
          const post = await write({ social_accounts: accounts })
          await clientOf(url, (await linkTo(post)).url).answer({ comment })
          return post.id
        })
      yield* say([other.id], "Of the other alone")
      const shared = yield* say([own, other.id], "Of both")
      yield* until(() => read.length > 0)
      assert.lengthOf(read, 1)
      const { id, review, social_accounts: told } = read[0]!.event.data
      assert.deepStrictEqual([id, told, review.comment], [shared, [own], "Of both"])
    })
  )

  it.effect("is open to nobody without a link that works, and guesses are counted", () =>
    Effect.gen(function* () {
      const { key, linkTo, url, write } = yield* household
      const { run } = yield* InProcessService
      yield* promised(async () => {
        const post = await write()
        const [good, revoked, expired] = [await linkTo(post), await linkTo(post), await linkTo(post)]
        await key("DELETE", `/v1/posts/${post.id}/review-links/${revoked.id}`)
        await run((sql) => sql`update review_links set expires_at = now() where id = ${expired.id}`)
        const gone = await write()
        const ofGone = await linkTo(gone)
        await key("DELETE", `/v1/posts/${gone.id}`)
        const cut = { url: good.url.slice(0, -1) }
        for (const { url: address } of [revoked, expired, ofGone, cut, { url: `${url}/review#` }]) {
          const client = clientOf(url, address)
          const answers = [
            await client.post(),
            await client.send({ name: "Bea", answer: "yes", comment: null, version: "1" })
          ]
          for (const { body, status } of answers) {
            assert.deepStrictEqual([status, body.code], [401, "review_link_invalid"])
            assert.notInclude(JSON.stringify(body), new URL(address).hash.slice(1) || "no token")
          }
        }
        const guesser = clientOf(url, `${url}/review#${"x".repeat(43)}`)
        const statuses = []
        for (let guess = 0; guess < 15; guess++) statuses.push((await guesser.post()).status)
        assert.deepStrictEqual([statuses[0], statuses.at(-1)], [401, 429])
        assert.strictEqual((await clientOf(url, good.url).post()).status, 200)
        const left = await key("GET", `/v1/posts/${post.id}/review-links`)
        assert.deepStrictEqual(
          left.body.data.map(({ id }: any) => id),
          [good.id]
        )
      })
    })
  )

  it.effect("is of the version that the client saw, and ends when the post goes out", () =>
    Effect.gen(function* () {
      const { key, linkTo, said, url, write } = yield* household
      yield* promised(async () => {
        const post = await write()
        const client = clientOf(url, (await linkTo(post)).url)
        const yes = { name: "Bea", answer: "yes", comment: null, version: post.version }
        await key("PATCH", `/v1/posts/${post.id}`, { caption: "Rye" })
        const stale = await client.send(yes)
        assert.deepStrictEqual([stale.status, stale.body.code], [412, "stale_version"])
        assert.deepStrictEqual(await said(post), [])
        const { body: now } = await client.post()
        assert.strictEqual(now.previews[0].caption, "Rye")
        const both = await Promise.all(
          ["Bea", "Ben"].map((name) => client.send({ ...yes, name, version: now.version }))
        )
        assert.deepStrictEqual(
          both.map(({ status }) => status),
          [200, 200]
        )
        assert.sameMembers(
          (await said(post)).map(({ name }: any) => name),
          ["Bea", "Ben"]
        )
        await key("POST", `/v1/posts/${post.id}/publish`)
        await Effect.runPromise(
          Effect.repeat(
            promised(() => key("GET", `/v1/posts/${post.id}`)),
            { until: ({ body }) => body.status === "published" }
          )
        )
        const late = await client.answer({ answer: "no" })
        assert.deepStrictEqual([late.status, late.body.code], [409, "review_closed"])
        assert.strictEqual((await client.post()).body.is_open, false)
      })
    })
  )

  it.effect("takes so many links and answers, each of a bounded size", () =>
    Effect.gen(function* () {
      const { key, linkTo, said, url, write } = yield* household
      const { run } = yield* InProcessService
      yield* promised(async () => {
        const post = await write()
        const links = await Promise.all(Array.from({ length: 10 }, () => linkTo(post)))
        const eleventh = await key("POST", `/v1/posts/${post.id}/review-links`)
        assert.deepStrictEqual([eleventh.status, eleventh.body.code], [409, "review_link_limit_reached"])
        const client = clientOf(url, links[0].url)
        const hostile = [
          { name: "" },
          { name: " \u200b\n" },
          { name: "x".repeat(81) },
          { comment: "x".repeat(2001) },
          { comment: "\0" },
          { answer: "maybe" },
          { answer: null },
          { answer: "yes", admin: true }
        ]
        for (const given of hostile) {
          const { body, status } = await client.answer(given)
          assert.strictEqual(status, 400, JSON.stringify([given, body]))
        }
        assert.strictEqual((await client.send("{")).status, 400)
        assert.strictEqual((await client.send(" ".repeat(70_000))).status, 413)
        assert.deepStrictEqual(await said(post), [])
        await run(
          (sql) => sql`
            insert into client_reviews (id, post_id, name, comment, version, created_at)
            select gen_random_uuid(), ${post.id}, 'Bea', 'Again', 1, now() from generate_series(1, 200)`
        )
        const more = await client.answer({ answer: "yes" })
        assert.deepStrictEqual([more.status, more.body.code], [409, "review_limit_reached"])
      })
    })
  )

  it.effect("approves only where the workspace says so and a person asked", () =>
    Effect.gen(function* () {
      const { key, linkTo, said, social_accounts, url } = yield* household
      const { run, words, workspace } = yield* InProcessService
      yield* promised(async () => {
        const browser = await signedInBrowser({ url, output: words })
        const { tokens } = await connectApp(browser, {
          resource: `${url}/v1`,
          choose: (html) => [...allAskedOf(html), ["approval", "yes"]]
        })
        const held = (method: string, path: string, body: object = {}) =>
          callWith(url, tokens.access_token, path, { method, body: JSON.stringify(body) })
        const waiting = async () =>
          (
            await held("POST", "/v1/posts", {
              social_accounts,
              caption: "Bread",
              scheduled_at: inSeconds(7200)
            })
          ).body
        const byPerson = async ({ id }: any) => {
          const { html } = await browser.visit(`/v1/posts/${id}/review-links`, {
            method: "POST",
            headers: { origin: url, "carillon-workspace": workspace }
          })
          return JSON.parse(html)
        }
        const approvalAfterYes = async (post: any, link: { readonly url: string }) => {
          const { body, status } = await clientOf(url, link.url).answer({ answer: "yes" })
          assert.strictEqual(status, 200, JSON.stringify(body))
          assert.strictEqual((await said(post))[0].answer, "yes")
          return (await key("GET", `/v1/posts/${post.id}`)).body.approval
        }

        const first = await waiting()
        const refused = await held("POST", `/v1/posts/${first.id}/review-links`)
        assert.deepStrictEqual([refused.status, refused.body.code], [409, "approval_needed"])
        assert.strictEqual((await key("GET", "/v1/profile")).body.client_approval, false)
        assert.strictEqual((await approvalAfterYes(first, await byPerson(first))).status, "waiting")

        await key("PATCH", "/v1/profile", { client_approval: true })
        assert.strictEqual((await approvalAfterYes(first, await linkTo(first))).status, "waiting")
        const late = await waiting()
        await run((sql) => sql`update posts set scheduled_at = now() where id = ${late.id}`)
        assert.strictEqual((await approvalAfterYes(late, await byPerson(late))).status, "waiting")

        const link = await byPerson(first)
        const client = clientOf(url, link.url)
        assert.strictEqual((await client.post()).body.yes_approves, true)
        assert.strictEqual((await client.answer({ answer: "no" })).body.approval, "waiting")
        const approval = await approvalAfterYes(first, link)
        assert.deepInclude(approval, { status: "approved", decided_by: { name: "Bea (client)" } })
        const { body: post } = await key("GET", `/v1/posts/${first.id}`)
        assert.deepStrictEqual([post.status, post.scheduled_at], ["scheduled", first.scheduled_at])
        const [{ actor }] = (await key("GET", "/v1/audit?action=post.approved&limit=1")).body.data
        const [owner] = await run(
          (sql) => sql<{ id: string }>`select id from members where name = ${ownerName}`
        )
        assert.deepStrictEqual(actor, { type: "member", id: owner!.id, name: "Bea (client)" })
        // What was decided stays; the client may still speak.
        assert.strictEqual((await client.answer({ answer: "no" })).body.approval, "approved")

        const orphan = await waiting()
        const { url: address } = await byPerson(orphan)
        await run((sql) => sql`update review_links set member_id = null where post_id = ${orphan.id}`)
        assert.strictEqual((await approvalAfterYes(orphan, { url: address })).status, "waiting")
      })
    })
  )
})

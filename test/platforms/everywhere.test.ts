import { SandboxProcess } from "@carillon/sandbox/testing"
import { answered } from "@carillon/testing/Answered"
import { printed } from "@carillon/testing/CommandLine"
import { accountsEverywhere, files, networks, postOf, posts, upload } from "@carillon/testing/PostsEverywhere"
import { create, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"

/** What a post asks for: its files by their bytes, and no network with nothing to say. */
const asked = Effect.fnUntraced(function* (id: string) {
  const { call } = yield* Service
  const { body } = yield* call("GET", `/v1/posts/${id}`)
  const files = yield* Effect.forEach(body.media ?? [], (item) => call("GET", `/v1/media/${item}`))
  return {
    caption: body.caption,
    thread: (body.thread ?? []).map(({ caption }: any) => caption),
    files: files.map(({ body }) => [body.name, body.mime_type, body.sha256]),
    accounts: body.social_accounts.toSorted(),
    options: Object.fromEntries(
      Object.entries<object>(body.platform_configurations).filter(([, own]) => Object.keys(own).length > 0)
    )
  }
})

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("one post", (it) => {
  it.effect(
    "goes at once to every network that takes what it has, as it was asked; the others say so before, and the command line asks the same",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const directory = yield* files
        const accounts = yield* accountsEverywhere("everyone")
        const ids: Array<string> = []
        for (const post of posts) {
          const whole = postOf(post, yield* upload(directory, post))
          const { status, body } = yield* service.call("POST", "/v1/posts/validate", {
            ...whole,
            social_accounts: [...accounts.values()]
          })
          const refused = status === 400 ? body.errors.map(({ account_id }: any) => account_id) : []
          const takers = networks.filter((network) => network in post.asked)
          assert.deepStrictEqual(
            networks.filter((network) => !refused.includes(accounts.get(network))),
            takers,
            `${post.what}: ${JSON.stringify(body.errors)}`
          )
          const social_accounts = takers.map((network) => accounts.get(network))
          const { id } = yield* create({ ...whole, social_accounts })
          ids.push(id)
          const commanded = yield* printed(
            directory,
            "post",
            post.caption,
            "--draft",
            ...post.files.flatMap((file) => ["--media", join(directory, file)]),
            ...post.thread.flatMap((item) => ["--then", item]),
            "--to",
            social_accounts.join(),
            ...Object.entries(post.asked).flatMap(([network, { options = {} }]) =>
              Object.entries(options).flatMap(([name, value]) => ["--set", `${network}.${name}=${value}`])
            )
          )
          assert.deepStrictEqual(yield* asked(commanded.id), yield* asked(id), post.what)
        }
        for (const id of ids) {
          const { results, status } = yield* settled(id)
          assert.strictEqual(status, "published", JSON.stringify(results))
          for (const { platform_data } of results) assert.isNotNull(platform_data)
        }
        const { on } = yield* SandboxProcess
        for (const network of networks) {
          const published = yield* on(network).publications("everyone")
          const wanted = posts.filter(({ asked }) => network in asked)
          for (const { asked, caption, files, thread } of wanted) {
            const items = published.filter(
              ({ media, text }) => media.length === files.length && [caption, ...thread].includes(text)
            )
            assert.deepStrictEqual(
              items.map(({ text }) => text),
              [caption, ...thread]
            )
            assert.deepStrictEqual(
              answered(items),
              items.map((_, item) => item - 1),
              network
            )
            const { following = {}, published: first } = asked[network]!
            for (const [index, item] of items.entries())
              expect(item, network).toMatchObject(index === 0 ? first : following)
          }
          assert.lengthOf(
            published,
            wanted.reduce((count, { thread }) => count + 1 + thread.length, 0),
            network
          )
        }
      })
  )
})

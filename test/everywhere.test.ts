import { type Publication, SandboxProcess } from "@carillon/sandbox/testing"
import { answered } from "@carillon/testing/Answered"
import { printed } from "@carillon/testing/CommandLine"
import { accountsEverywhere, files, networks, postOf, posts, upload } from "@carillon/testing/PostsEverywhere"
import { create, settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"

/** As it would be of any account: numbers that stand for it or for the publication are left out. */
const compared = ({ title, text, media, details = {} }: Publication) => {
  const { nonce: _, message_id: __, uri: ___, cid: ____, createdAt: _____, reply: ______, ...asked } = details
  const files = media.map(({ content_type, sha256 }) => [content_type, sha256])
  return JSON.stringify({ title, text, files, asked }).replaceAll(/\d{9,}/g, "#")
}

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("one post", (it) => {
  it.effect("goes to every network that takes what it has, and the others say so before", () =>
    Effect.gen(function* () {
      const service = yield* Service
      const directory = yield* files
      const accounts = yield* accountsEverywhere("everyone")
      for (const post of posts) {
        const { status, body } = yield* service.call("POST", "/v1/posts/validate", {
          ...postOf(post, yield* upload(directory, post)),
          social_accounts: [...accounts.values()]
        })
        const refused = status === 400 ? body.errors.map(({ account_id }: any) => account_id) : []
        assert.deepStrictEqual(
          networks.filter((network) => !refused.includes(accounts.get(network))),
          networks.filter((network) => network in post.asked),
          `${post.what}: ${JSON.stringify(body.errors)}`
        )
      }
    })
  )

  it.effect(
    "of each of these kinds goes out to all at once as it was asked, by REST and by the command line",
    () =>
      Effect.gen(function* () {
        const directory = yield* files
        const byRest = yield* accountsEverywhere("rester")
        const byCommand = yield* accountsEverywhere("commander")
        const ids: Array<string> = []
        for (const post of posts) {
          const takers = networks.filter((network) => network in post.asked)
          const { id } = yield* create({
            ...postOf(post, yield* upload(directory, post)),
            social_accounts: takers.map((network) => byRest.get(network))
          })
          const commanded = yield* printed(
            directory,
            "post",
            post.caption,
            ...post.files.flatMap((file) => ["--media", join(directory, file)]),
            ...post.thread.flatMap((item) => ["--then", item]),
            "--to",
            takers.map((network) => byCommand.get(network)).join(),
            ...Object.entries(post.asked).flatMap(([network, { options = {} }]) =>
              Object.entries(options).flatMap(([name, value]) => ["--set", `${network}.${name}=${value}`])
            )
          )
          ids.push(id, commanded.id)
        }
        for (const id of ids) {
          const { results, status } = yield* settled(id)
          assert.strictEqual(status, "published", JSON.stringify(results))
          for (const { platform_data } of results) assert.isNotNull(platform_data)
        }
        const { on } = yield* SandboxProcess
        for (const network of networks) {
          const rest = yield* on(network).publications("rester")
          const command = yield* on(network).publications("commander")
          assert.deepStrictEqual(command.map(compared).sort(), rest.map(compared).sort(), network)
          const wanted = posts.filter(({ asked }) => network in asked)
          for (const { asked, caption, files, thread } of wanted) {
            const items = rest.filter(
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
            const { following = {}, published } = asked[network]!
            for (const [index, item] of items.entries())
              expect(item, network).toMatchObject(index === 0 ? published : following)
          }
          assert.lengthOf(
            rest,
            wanted.reduce((count, { thread }) => count + 1 + thread.length, 0),
            network
          )
        }
      })
  )
})

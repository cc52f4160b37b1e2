import { SandboxProcess } from "@carillon/sandbox/testing"
import { callWith, connectApp, promised, signedInBrowser, tickedOf } from "@carillon/testing/OAuthBrowser"
import { connect, create } from "@carillon/testing/Publishing"
import { receiver, until } from "@carillon/testing/Receiver"
import { Service } from "@carillon/testing/ServiceProcess"
import { SharedService } from "@carillon/testing/SharedService"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"

layer(SharedService, { excludeTestServices: true, timeout: "180 seconds" })("notifications", (it) => {
  it.effect(
    "tell once of each failed post and of one that waits for approval, and the log has no address",
    () =>
      Effect.gen(function* () {
        const service = yield* Service
        const { received, url } = yield* receiver()
        const address = `${url}/s3cret-token`
        const set = yield* service.call("PUT", "/v1/notifications", { url: address, format: "json" })
        assert.strictEqual(set.status, 200)
        assert.deepInclude(set.body, { format: "json", status: "active", last_attempt: null })
        const test = yield* service.call("POST", "/v1/notifications/test")
        assert.deepInclude(test.body, { response_status: 200, response_excerpt: "answer 200", error: null })

        const [refusing, fine] = [yield* connect("refusing"), yield* connect("fine")]
        const faults = ["a", "b", "c"].map(() => ({ on: "post", fault: "refuse" }) as const)
        yield* (yield* SandboxProcess).script("refusing", faults)
        const posts = yield* Effect.forEach(["a", "b", "c"], (letter) => {
          const caption = `Refused ${letter}`
          return Effect.map(create({ social_accounts: [refusing, fine], caption }), ({ id }) => ({
            id,
            caption
          }))
        })
        const messages = () => received.slice(1).map(({ body }) => JSON.parse(body))
        const { body: profile } = yield* service.call("GET", "/v1/profile")
        const browser = yield* promised(() => signedInBrowser(service))
        const { tokens } = yield* promised(() =>
          connectApp(browser, {
            resource: `${service.url}/v1`,
            choose: (html) => [
              ...tickedOf(html).filter(([name]) => name === "scope"),
              ["workspace", profile.workspace.id],
              ["accounts", "all"],
              ["approval", "yes"]
            ]
          })
        )
        const { body: held } = yield* promised(() =>
          callWith(service.url, tokens.access_token, "/v1/posts", {
            method: "POST",
            body: JSON.stringify({ social_accounts: [fine], caption: "Held" })
          })
        )
        assert.strictEqual(held.approval?.status, "waiting", JSON.stringify(held))
        posts.push({ id: held.id, caption: "Held" })
        yield* until(
          () =>
            messages().reduce(
              (sum, { counts }) => sum + (counts.failed ?? 0) + (counts.approval_requested ?? 0),
              0
            ) >= posts.length,
          240
        )
        const items: ReadonlyArray<{ text: string; url: string }> = messages().flatMap(
          (message) => message.items
        )
        assert.lengthOf(items, posts.length)
        for (const { caption, id } of posts) {
          const item = items.find(({ url }) => url.startsWith(`${service.publicUrl}/app/posts/${id}?w=`))
          const kind = caption === "Held" ? "Waits for approval: " : "Failed: refusing on Test network, "
          assert.include(item?.text, `${kind}“${caption}”`)
        }
        const shown = yield* Effect.repeat(service.call("GET", "/v1/notifications"), {
          until: ({ body }) => body.last_attempt !== null
        })
        assert.deepInclude(shown.body.last_attempt, { response_status: 200, error: null })
        assert.strictEqual((yield* service.call("DELETE", "/v1/notifications")).status, 200)
        // The page of approvals shows those of all workspaces.
        yield* promised(() =>
          callWith(service.url, tokens.access_token, `/v1/posts/${held.id}`, { method: "DELETE" })
        )
        const trail = yield* service.call("GET", "/v1/audit?action=notifications.set,notifications.deleted")
        assert.lengthOf(trail.body.data, 2)
        for (const text of [
          service.output(),
          JSON.stringify([set.body, test.body, shown.body, trail.body])
        ]) {
          assert.notInclude(text, "s3cret")
        }
      })
  )
})

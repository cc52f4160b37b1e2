import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json, send } from "./PlatformClient.ts"

const at = "/mastodon.sandbox/api/v1"

/** The parameters as a form of the browser's kind, and as one with files. */
const forms = (fields: ReadonlyArray<readonly [string, string]>) => {
  const parts = new FormData()
  for (const [name, value] of fields) parts.append(name, value)
  return [
    [
      "a form",
      {
        method: "POST",
        body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value]))
      }
    ],
    ["a form of parts", { method: "POST", body: parts }]
  ] as const
}

const as = (name: string, init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...init.headers, authorization: `Bearer ${name}.sandbox` }
})

layer(SandboxProcess.layer)("a Mastodon server on the test network", (it) => {
  it.effect("takes a registration in JSON and in forms, and makes the same of them", () =>
    Effect.gen(function* () {
      const app = {
        client_name: "Bells",
        redirect_uris: "https://a.example/back\nhttps://b.example/back",
        scopes: "read write:statuses",
        website: "https://a.example"
      }
      for (const [how, init] of [
        ["JSON", json(app)],
        ["JSON with a list", json({ ...app, redirect_uris: app.redirect_uris.split("\n") })],
        ...forms(Object.entries(app))
      ] as const) {
        const { body, status } = yield* send(`${at}/apps`, init)
        const { client_id, client_secret, id: _, ...rest } = body
        assert.strictEqual(status, 200, how)
        assert.deepStrictEqual(rest, {
          name: "Bells",
          website: "https://a.example",
          scopes: ["read", "write:statuses"],
          redirect_uri: app.redirect_uris,
          redirect_uris: app.redirect_uris.split("\n"),
          client_secret_expires_at: 0
        })
        for (const token of [
          json({ client_id, client_secret, grant_type: "client_credentials" }),
          ...forms(Object.entries({ client_id, client_secret, grant_type: "client_credentials" })).map(
            ([, form]) => form
          )
        ])
          assert.strictEqual((yield* send("/mastodon.sandbox/oauth/token", token)).status, 200, how)
      }
      for (const [wrong, words] of [
        [json({ ...app, client_name: null }), "Application name can't be blank"],
        [json({ ...app, redirect_uris: [] }), "Redirect URI must be an absolute URI."],
        [json([app]), "Application name can't be blank"],
        [{ ...json(app), body: "{" }, "Application name can't be blank"]
      ] as const) {
        const { body, status } = yield* send(`${at}/apps`, wrong)
        assert.deepStrictEqual([status, body.error], [422, `Validation failed: ${words}`])
      }
    })
  )

  it.effect("takes a status in JSON and in forms, and publishes the same of them", () =>
    Effect.gen(function* () {
      const sandbox = (yield* SandboxProcess).on("mastodon")
      const sent = {
        status: "When?",
        sensitive: true,
        poll: { options: ["Noon", "Night"], expires_in: 3600, multiple: false },
        in_reply_to_id: null
      }
      const fields = [
        ["status", "When?"],
        ["sensitive", "true"],
        ["poll[options][]", "Noon"],
        ["poll[options][]", "Night"],
        ["poll[expires_in]", "3600"],
        ["poll[multiple]", "0"]
      ] as const
      for (const [how, init] of [["JSON", json(sent)], ...forms(fields)] as const) {
        const { status, text } = yield* send(`${at}/statuses`, as("in-forms", init))
        assert.strictEqual(status, 200, `${how}: ${text}`)
      }
      for (const { details, text } of yield* sandbox.waitForPublications("in-forms", 3))
        assert.deepStrictEqual(
          [text, details],
          [
            "When?",
            {
              sensitive: true,
              poll: { options: ["Noon", "Night"], expires_in: 3600, multiple: false },
              server: "mastodon.sandbox"
            }
          ]
        )
    })
  )

  it.effect("says which parameter of a status it does not know or cannot read", () =>
    Effect.gen(function* () {
      const deep = forms([[`poll${"[a]".repeat(100_000)}`, "deep"]])
      for (const [init, words] of [
        [json({ status: "Later", scheduled_at: "2030-01-01" }), "the test network knows no scheduled_at"],
        [json({ status: "?", poll: { options: [], expires_in: 300, fun: true } }), "knows no poll.fun"],
        [json({ status: "Loud", visibility: "everybody" }), "visibility: "],
        ...forms([
          ["status", "?"],
          ["__proto__[status]", "polluted"]
        ]).map(([, form]) => [form, "the test network knows no __proto__"] as const),
        [deep[0]![1], "knows no poll.a"],
        [deep[1]![1], "the body: "],
        [{ ...json(0), body: `{"poll":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}` }, "poll.a"]
      ] as const) {
        const { body, status } = yield* send(`${at}/statuses`, as("unknown", init))
        assert.strictEqual(status, 422)
        assert.include(body.error, words)
      }
      assert.isUndefined(({} as { status?: string }).status)
      const sandbox = (yield* SandboxProcess).on("mastodon")
      assert.deepStrictEqual(yield* sandbox.publications("unknown"), [])
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isEndless, operations } from "../contract/Document.ts"
import { InProcessService } from "../contract/InProcessService.ts"
import { send } from "../contract/Wire.ts"
import { ownerName, ownerPassword, pkce, redirect, tickedOf } from "@carillon/testing/OAuthBrowser"

const publicUrl = "https://carillon.example"
const options = { excludeTestServices: true, timeout: "180 seconds" } as const

/** A request as proxies, clients and strangers spell the name in it. */
const spellings: Readonly<Record<string, (target: string) => readonly [string, Record<string, string>]>> = {
  "its own name": (target) => [target, { host: "carillon.example" }],
  "another Host": (target) => [target, { host: "evil.example" }],
  "a Host with a port": (target) => [target, { host: "evil.example:8443" }],
  "a proxy's headers": (target) => [
    target,
    {
      host: "carillon.example",
      "x-forwarded-for": "198.51.100.7",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
      "x-forwarded-port": "8443",
      "x-forwarded-prefix": "/evil.example",
      "x-original-url": "http://evil.example/",
      forwarded: 'for=198.51.100.7;host="evil.example";proto=http'
    }
  ],
  "an absolute target": (target) => [`http://evil.example${target}`, { host: "carillon.example" }],
  "an absolute target of its own name": (target) => [
    `http://carillon.example${target}`,
    { host: "carillon.example" }
  ]
}

/** The endpoints that look at Host themselves are asked by these alone. */
const ownNames = ["its own name", "an absolute target of its own name"]

/** What every answer tells a browser, and every page more. */
const hasItsHeaders = (target: string, headers: Headers) => {
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff", target)
  assert.strictEqual(headers.get("strict-transport-security"), "max-age=31536000", target)
  if (target.startsWith("/v1/") && target !== "/v1/openapi.json") {
    assert.strictEqual(headers.get("cache-control"), "no-store", target)
  }
  if (headers.get("content-type")?.startsWith("text/html") !== true) return
  assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, target)
  assert.strictEqual(headers.get("x-frame-options"), "DENY", target)
  assert.strictEqual(headers.get("referrer-policy"), "no-referrer", target)
}

layer(InProcessService.layer({ PUBLIC_URL: publicUrl, TRUSTED_PROXIES: "127.0.0.1/32" }), options)(
  "PUBLIC_URL",
  (it) => {
    it.effect(
      "PUBLIC_URL is in every address that the service tells, by whatever name and scheme it was asked",
      () =>
        Effect.gen(function* () {
          const { url, makeKey, words, workspace } = yield* InProcessService
          yield* Effect.promise(async () => {
            const authorization = `Bearer ${await makeKey(workspace, ["admin"])}`
            const cookies = new Map<string, string>()

            /** With every spelling: nothing of it is in the answer. */
            const askAll = async (
              method: string,
              target: string,
              headers: {},
              body?: string | URLSearchParams
            ) => {
              const answers: Array<{ status: number; headers: Headers; text: string }> = []
              // Under a name that is not the service's own these are refused.
              const isGuarded = target.startsWith("/mcp") || (method === "POST" && !target.includes("/v1/"))
              const names = isGuarded ? ownNames : Object.keys(spellings)
              for (const name of names) {
                const [path, told] = spellings[name]!(target)
                const answer = await send(url, {
                  method,
                  target: path,
                  headers: {
                    ...headers,
                    ...told,
                    cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join("; "),
                    ...(body instanceof URLSearchParams
                      ? { "content-type": "application/x-www-form-urlencoded" }
                      : { "content-type": "application/json" })
                  },
                  ...(body === undefined ? {} : { body: String(body) })
                })
                for (const line of answer.headers.getSetCookie()) {
                  const [, key, value] = /^([^=]+)=([^;]*)/.exec(line)!
                  cookies.set(key!, value!)
                }
                const whole = `${[...answer.headers].join("\n")}\n${answer.text}`
                assert.notMatch(whole, /evil\.example/, `${method} ${target} by ${name}`)
                assert.notInclude(whole, "http://carillon.example", `${method} ${target} by ${name}`)
                assert.notInclude(whole, url, `${method} ${target} by ${name}`)
                hasItsHeaders(target, answer.headers)
                answers.push(answer)
              }
              return answers
            }
            /** The same, of an answer that has to name the service. */
            const names = async (target: string, headers = {}) => {
              for (const { headers: told, text } of await askAll("GET", target, headers)) {
                assert.include(`${[...told].join("\n")}\n${text}`, publicUrl, target)
              }
            }
            const json = async (
              method: string,
              target: string,
              body?: {} | URLSearchParams,
              status = 200
            ) => {
              const form = body instanceof URLSearchParams
              const sent = body === undefined || form ? body : JSON.stringify(body)
              const answers = await askAll(method, target, form ? {} : { authorization }, sent)
              for (const answer of answers) {
                assert.strictEqual(answer.status, status, `${method} ${target} ${answer.text}`)
              }
              return answers.map(({ text }) => JSON.parse(text))
            }

            for (const document of ["oauth-authorization-server", "openid-configuration"]) {
              for (const told of await json("GET", `/.well-known/${document}`)) {
                assert.strictEqual(told.issuer, publicUrl)
                for (const [name, value] of Object.entries(told)) {
                  if (!/_(endpoint|uri|documentation)$/.test(name)) continue
                  assert.isTrue(String(value).startsWith(`${publicUrl}/`), `${name}: ${value}`)
                }
              }
            }
            for (const suffix of ["", "/mcp", "/v1"]) {
              const path = `/.well-known/oauth-protected-resource${suffix}`
              for (const told of await json("GET", path)) {
                assert.deepStrictEqual(told.authorization_servers, [publicUrl])
              }
            }
            for (const told of await json("GET", "/v1/openapi.json")) {
              assert.deepStrictEqual(told.servers, [{ url: publicUrl }])
            }
            await names("/llms.txt")
            await names("/v1/nothing")
            await names("/mcp")
            for (const page of ["/", "/docs", "/docs/errors", "/healthz", "/readyz"])
              await askAll("GET", page, {})

            const [account] = await json(
              "POST",
              "/v1/social-accounts",
              { platform: "sandbox", credentials: { username: "one", password: "sandbox" } },
              201
            )
            const [media] = await json(
              "POST",
              "/v1/media/create-upload-url",
              { mime_type: "application/pdf", size_bytes: 9, name: "a.pdf" },
              201
            )
            assert.isTrue(media.upload_url.startsWith(`${publicUrl}/v1/media/`))
            const own = (address: string) => address.slice(publicUrl.length)
            const sent = await send(url, {
              method: "PUT",
              target: own(media.upload_url),
              headers: { "content-type": "application/pdf", host: "carillon.example" },
              body: "%PDF-1.4\n"
            })
            assert.strictEqual(sent.status, 200, sent.text)
            const [item] = await json("POST", `/v1/media/${media.media_id}/complete`)
            for (const file of await askAll("GET", own(item.url), {})) assert.strictEqual(file.status, 200)
            const [post] = await json(
              "POST",
              "/v1/posts",
              { caption: "Hello", is_draft: true, social_accounts: [account.id] },
              201
            )
            const published = await json(
              "POST",
              "/v1/posts",
              { caption: "Hello", social_accounts: [account.id], scheduled_at: "2090-01-01T00:00:00Z" },
              201
            )
            const { pending_id } = (
              await json("POST", "/v1/social-accounts/connect", { platform: "tiktok" }, 201)
            )[0]
            const [webhook] = await json(
              "POST",
              "/v1/webhooks",
              { url: "https://example.com/hook", events: ["post.published"] },
              201
            )
            await json("PUT", "/v1/queue", { timezone: "UTC", slots: [{ day: "mon", time: "09:00" }] })
            const results = await json("GET", "/v1/post-results?limit=1&status=all")
            const ids: Record<string, string> = {
              post_id: post.id,
              result_id: results[0].data[0].id,
              media_id: item.id,
              account_id: account.id,
              pending_id,
              webhook_id: webhook.id
            }
            const reads = operations.filter(
              (one) => one.method === "GET" && one.membersOnly === null && !isEndless(one)
            )
            assert.isAbove(reads.length, 15)
            for (const { path, parameters } of reads) {
              const target = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
              const paged = parameters.some(({ name }) => name === "limit")
              for (const answer of await json("GET", paged ? `${target}?limit=1` : target)) {
                if (answer.meta?.next == null) continue
                assert.isTrue(answer.meta.next.startsWith(`${publicUrl}${target}?`), answer.meta.next)
              }
            }
            const [page] = await json("GET", `/v1/posts?limit=1`)
            assert.isNotNull(page.meta.next)
            assert.lengthOf(published, Object.keys(spellings).length)
            for (const answer of await json("POST", "/mcp", {
              jsonrpc: "2.0",
              id: 1,
              method: "tools/call",
              params: { name: "create_media_upload", arguments: { name: "b.png" } }
            })) {
              const { browser_upload_page } = answer.result.structuredContent
              assert.isTrue(browser_upload_page.startsWith(`${publicUrl}/upload/`))
              await askAll("GET", own(browser_upload_page), {})
              await json("POST", own(browser_upload_page), {
                mime_type: "image/png",
                size_bytes: 9,
                name: "b.png"
              })
            }

            // A person signs in, and answers an app.
            const [link] = /https:\S+\/welcome\/\S+/.exec(words())!
            const hidden = (html: string) =>
              [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
                ([, name, value]): [string, string] => [name!, value!]
              )
            const [welcome] = await askAll("GET", own(link), {})
            await askAll(
              "POST",
              own(link),
              {},
              new URLSearchParams([
                ...hidden(welcome!.text),
                ["name", ownerName],
                ["password", ownerPassword]
              ])
            )
            for (const path of ["/account", "/approvals", "/device"]) {
              for (const { status } of await askAll("GET", path, {})) assert.strictEqual(status, 200, path)
            }
            const registered = await json(
              "POST",
              "/oauth/register",
              { client_name: "App", redirect_uris: [redirect] },
              201
            )
            const { challenge } = pkce()
            const authorize = `/oauth/authorize?${new URLSearchParams({
              response_type: "code",
              client_id: registered[0].client_id,
              redirect_uri: redirect,
              code_challenge: challenge,
              code_challenge_method: "S256"
            })}`
            const begun = (await askAll("GET", authorize, {})).at(-1)!
            const consent = begun.headers.get("location")!
            assert.match(consent, /^\/oauth\/consent\//)
            const form = (await askAll("GET", consent, {})).at(-1)!
            const [answered] = await askAll(
              "POST",
              consent,
              {},
              new URLSearchParams([
                ...hidden(form.text),
                ...tickedOf(form.text).map(([name, value]): [string, string] => [name, value]),
                ["decision", "allow"]
              ])
            )
            const resume = answered!.headers.get("location")!
            assert.isTrue(resume.startsWith(`${publicUrl}/oauth/authorize/`), resume)
            const [back] = await askAll("GET", own(resume), {})
            const location = new URL(back!.headers.get("location")!)
            assert.strictEqual(location.searchParams.get("iss"), publicUrl)
            for (const told of await json(
              "POST",
              "/oauth/device",
              new URLSearchParams({ client_id: "carillon-cli", resource: `${publicUrl}/v1` })
            )) {
              assert.strictEqual(told.verification_uri, `${publicUrl}/device`)
              assert.isTrue(told.verification_uri_complete.startsWith(`${publicUrl}/device?`))
            }
          })
        })
    )

    it.effect(
      "PUBLIC_URL is one of the names at which /metrics answers programs of this machine, and no other is",
      () =>
        Effect.gen(function* () {
          const { url } = yield* InProcessService
          const statuses = ["localhost:1", "127.0.0.1", "carillon.example", "evil.example"].map((host) =>
            Effect.promise(() => send(url, { method: "GET", target: "/metrics", headers: { host } }))
          )
          assert.deepStrictEqual(
            (yield* Effect.all(statuses)).map(({ status }) => status),
            [200, 200, 200, 401]
          )
        })
    )
  }
)

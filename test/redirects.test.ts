import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { Socket } from "node:net"
import { vi } from "vitest"
import { listening } from "../packages/server/test/http/TestServer.ts"
import { InProcessService } from "./contract/InProcessService.ts"
import { Tenant } from "./contract/Tenant.ts"

const publicAddress = "93.184.216.34"

/**
 * A server that stands at a public address for every socket of this process; every other address is left as it is.
 * Answers what was connected to on the port of http.
 */
const publicServer = Effect.fnUntraced(function* (answer: (path: string, response: ServerResponse) => void) {
  const { port } = yield* listening(createServer((request, response) => answer(request.url ?? "", response)))
  const { connect } = Socket.prototype
  const hosts: Array<string> = []
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      vi.spyOn(Socket.prototype, "connect").mockImplementation(function (this: Socket, ...args: Array<any>) {
        for (const to of args.flat()) {
          if (typeof to?.host !== "string") continue
          if (Number(to.port) === 80) hosts.push(to.host)
          if (to.host === publicAddress) Object.assign(to, { host: "127.0.0.1", port })
        }
        return connect.apply(this, args as Parameters<typeof connect>)
      })
    ),
    (spy) => Effect.sync(() => spy.mockRestore())
  )
  return hosts
})

const tenant = Effect.gen(function* () {
  const { url, workspace, makeKey } = yield* InProcessService
  return yield* Effect.promise(async () => new Tenant(url, await makeKey(workspace, ["admin"]), "redirected"))
})

const eventually = (mine: Tenant, path: string, over: (body: any) => boolean) =>
  Effect.promise(() => mine.call("GET", path)).pipe(
    Effect.repeat({ until: over, schedule: Schedule.spaced("50 millis"), times: 2400 }),
    Effect.map((body) => body as any)
  )

layer(InProcessService.layer({ CARILLON_ALLOW_PRIVATE_HOSTS: "off" }), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("a URL whose server redirects to a private address", (it) => {
  const targets = {
    "/loopback": "http://127.0.0.1/secret.jpg",
    "/network": "//10.0.0.1/secret.jpg",
    "/metadata": "http://169.254.169.254/latest/meta-data/",
    "/six": "http://[::ffff:192.168.0.1]/secret.jpg",
    "/name": "http://localhost/secret.jpg",
    // By way of another public one.
    "/further": `http://${publicAddress}/loopback`
  }
  const redirect = (path: string, response: ServerResponse) =>
    response.writeHead(302, { location: targets[path as keyof typeof targets] }).end()

  it.effect("makes a media item that fails with the reason, and nothing private is connected to", () =>
    Effect.gen(function* () {
      const mine = yield* tenant
      const hosts = yield* publicServer(redirect)
      for (const path of Object.keys(targets)) {
        const { id, status } = yield* Effect.promise(() =>
          mine.call("POST", "/v1/media/import", { url: `http://${publicAddress}${path}` })
        )
        assert.strictEqual(status, "reserved")
        const item = yield* eventually(mine, `/v1/media/${id}`, (media) => media.status !== "reserved")
        assert.strictEqual(item.status, "failed", path)
        assert.deepInclude(item.error, { code: "address_not_allowed", class: "media_unreachable" }, path)
        assert.match(item.error.message, /public internet/)
      }
      assert.deepStrictEqual([...new Set(hosts)], [publicAddress])
    })
  )

  it.effect("fails the post that was made with it, with the reason, before its time", () =>
    Effect.gen(function* () {
      const mine = yield* tenant
      yield* publicServer(redirect)
      const account = yield* Effect.promise(() => mine.id("account"))
      const { id, status } = yield* Effect.promise(() =>
        mine.call("POST", "/v1/posts", {
          social_accounts: [account],
          caption: "From elsewhere",
          media_urls: [`http://${publicAddress}/network`],
          scheduled_at: "2090-01-01T00:00:00Z"
        })
      )
      assert.strictEqual(status, "scheduled")
      const post = yield* eventually(mine, `/v1/posts/${id}`, (one) => one.status !== "scheduled")
      assert.strictEqual(post.status, "failed")
      const [{ error, success }] = post.results
      assert.isFalse(success)
      assert.deepInclude(error, {
        code: "address_not_allowed",
        class: "media_unreachable",
        action: "fix_content"
      })
      assert.match(error.message, /10\.0\.0\.1/)
    })
  )
})

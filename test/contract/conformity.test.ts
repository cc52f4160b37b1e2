import { problemCodes, type Scope } from "@carillon/domain"
import { ownerPassword } from "@carillon/testing/OAuthBrowser"
import { PasskeyDevice } from "@carillon/testing/PasskeyDevice"
import { totpCode } from "@carillon/testing/totpCode"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { type Answer, answerProblem, bodyProblem } from "./Checker.ts"
import { codesOf, type Operation, operationOf, operations, signsOut } from "./Document.ts"
import { unknownId } from "./Ids.ts"
import { good, hasJson, missing, target, tooFew } from "./Requests.ts"
import { InProcessService } from "./InProcessService.ts"
import { SignedIn } from "./SignedIn.ts"
import { json, send, type WireRequest } from "./Wire.ts"
import { World } from "./World.ts"

interface Context extends Readonly<World["Service"]>, Readonly<InProcessService["Service"]> {
  /** What would succeed: what refuses it changes nothing, so that all refusals of an operation are of the same things. */
  refused(operation: Operation): Promise<WireRequest>
  /** A key with this scope alone. */
  keyWith(scope: Scope): Promise<string>
  /** With a key or, where none is enough, from a page on which the owner is signed in. */
  ask(operation: Operation, request: WireRequest): Promise<Answer>
  signedIn(): Promise<SignedIn>
}

type Case = (context: Context, operation: Operation) => Promise<WireRequest>

/** Where the general way to a success or a status is not one for this operation. */
const successes: Readonly<Record<string, Case>> = {
  mediaUpload: async ({ mine }) => mine.upload(await mine.reserve()),
  queueSlots: async ({ mine }) => {
    await mine.call("PUT", "/v1/queue", { slots: [{ day: "mon", time: "09:00" }] })
    return json("GET", "/v1/queue/slots?count=2", undefined)
  },
  notificationsTest: async ({ mine }, operation) => {
    await mine.call("PUT", "/v1/notifications", { url: "http://127.0.0.1:9/", format: "json" })
    return good(operation, mine)
  },
  clientReviewsRevokeLink: async ({ mine }) => {
    const [post, link] = [await mine.id("post"), await mine.fresh("review_link")]
    return json("DELETE", `/v1/posts/${post}/review-links/${link}`, undefined)
  },
  postsRetry: async (world) =>
    json("POST", `/v1/posts/${await settledPost(world, "failed")}/retry`, undefined),
  postsApprove: (world, operation) => onWaiting(world, operation, "scheduled"),
  postsRefuse: (world, operation) => onWaiting(world, operation, "scheduled"),
  sessionChangePassword: async () =>
    json("PUT", "/v1/session/password", { current_password: ownerPassword, new_password: ownerPassword }),
  sessionEnd: async ({ run }) => {
    const [one] = await run(
      (sql) => sql<{ id: string }>`
        insert into sessions (token_hash, member_id, created_at, last_used_at, password_given_at, expires_at)
        select ${randomBytes(32)}, id, now(), now(), now(), now() + interval '1 hour'
        from members where role = 'owner' returning id`
    )
    return json("DELETE", `/v1/sessions/${one!.id}`, undefined)
  },
  secondFactorSetTotp: async (world) => {
    const { body } = await (await world.signedIn()).call("POST", "/v1/session/totp")
    return json("PUT", "/v1/session/totp", { secret: body.secret, code: totpCode(body.secret) })
  },
  secondFactorDeleteTotp: async (world) => {
    await hasTotp(world)
    return json("DELETE", "/v1/session/totp", undefined)
  },
  secondFactorReplaceRecoveryCodes: async (world) => {
    await hasTotp(world)
    return json("PUT", "/v1/session/recovery-codes", undefined)
  },
  secondFactorAddPasskey: async (world) =>
    json("POST", "/v1/session/passkeys", {
      name: "Laptop",
      credential: new PasskeyDevice(world.url).create((await passkeyOptions(world)).create)
    }),
  secondFactorDeletePasskey: async (world) =>
    json("DELETE", `/v1/session/passkeys/${(await addedPasskey(world)).id}`, undefined),
  secondFactorConfirmWithPasskey: async (world) => {
    const { device } = await addedPasskey(world)
    return json("PUT", "/v1/session/confirmation/passkey", {
      credential: device.get((await passkeyOptions(world)).get)
    })
  },
  connectedAppsUpdate: async (world) => json("PATCH", await connectedApp(world), { needs_approval: true }),
  connectedAppsDisconnect: async (world) => json("DELETE", await connectedApp(world), undefined),
  resultsConfirm: async (world, operation) => {
    const request = await good(operation, world.mine)
    const [, id] = /post-results\/([^/]+)/.exec(request.target)!
    await world.run(
      (sql) => sql`update targets set state = 'unconfirmed', next_step_at = null where id = ${id!}`
    )
    return request
  }
}

const success: Case = (context, operation) =>
  (successes[operation.id] ?? ((_, one) => good(one, context.mine)))(context, operation)

const hasTotp = ({ run }: Context) =>
  run(
    (sql) => sql`
      insert into totp_secrets (member_id, secret, last_step, created_at)
      select id, '', 0, now() from members where role = 'owner' on conflict do nothing`
  )

const passkeyOptions = async (world: Context) =>
  (await (await world.signedIn()).call("POST", "/v1/session/passkeys/options")).body

const addedPasskey = async (world: Context) => {
  const device = new PasskeyDevice(world.url)
  const credential = device.create((await passkeyOptions(world)).create)
  const added = await (
    await world.signedIn()
  ).call("POST", "/v1/session/passkeys", { name: "Phone", credential })
  return { device, id: added.body.id }
}

/** Where an app is that the owner connected. */
const connectedApp = async ({ run, workspace }: Context) => {
  const id = randomUUID()
  await run(
    (sql) => sql`
      insert into grants (id, member_id, workspace_id, client_id, client_name, redirect_uri, audience, asked_scopes,
        scopes, needs_approval, created_at)
      select ${id}, id, ${workspace}, 'test', 'Test app', 'http://127.0.0.1:9/callback', 'test', ${["posts:read"]}::text[],
        ${["posts:read"]}::text[], false, now() from members where role = 'owner'`
  )
  return `/v1/connected-apps/${id}`
}

/** About a draft that waits for approval. */
const onWaiting = async (
  { mine, run }: Context,
  operation: Operation,
  wants: "now" | "scheduled"
): Promise<WireRequest> => {
  const request = await good(operation, mine)
  const [, id] = /posts\/([^/]+)/.exec(request.target)!
  const approval = {
    status: "waiting",
    asked_by: { type: "app", name: "An app" },
    wants,
    asked_at: "2026-01-01T00:00:00.000Z",
    decided_at: null,
    reason: null,
    grant_id: "none",
    queue_timezone: null
  }
  await run(
    (sql) => sql`
      update posts set approval = ${JSON.stringify(approval)}::jsonb, scheduled_at = '2090-01-01T00:00:00Z'
      where id = ${id!}`
  )
  return request
}

const settledPost = async ({ mine, run }: Context, state: "published" | "failed") => {
  const id = await mine.fresh("post")
  await run((sql) => sql`update targets set state = ${state} where post_id = ${id}`)
  await run((sql) => sql`update posts set status = ${state} where id = ${id}`)
  return id
}

const onPublished: Case = async (world, operation) => {
  const request = await good(operation, world.mine)
  const id = await settledPost(world, "published")
  return { ...request, target: request.target.replace(/\/posts\/[^/]+/, `/posts/${id}`) }
}

/** How an operation comes to each of its failures, by its code. A new code of an operation needs a row. */
const failures: Readonly<Record<string, Case>> = {
  invalid_request: async ({ mine, refused }, operation) => {
    const request = await refused(operation)
    const known = await mine.example(operation)
    return hasJson(operation)
      ? json(request.method, request.target, { ...known, no_such_field: 1 })
      : {
          ...request,
          target: `${request.target}${request.target.includes("?") ? "&" : "?"}no_such_parameter=1`
        }
  },
  invalid_json: async ({ refused }, operation) => {
    const request = await refused(operation)
    return json(request.method, request.target, "{")
  },
  unauthorized: async ({ refused }, operation) => {
    const request = await refused(operation)
    return { ...request, headers: { ...request.headers, authorization: "" } }
  },
  missing_scope: async ({ refused, keyWith }, operation) => {
    const key = await keyWith(tooFew(operation)[0]!)
    const request = await refused(operation)
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }
  },
  body_too_large: async ({ refused }, operation) => {
    const { method, target } = await refused(operation)
    return json(method, target, { caption: "x".repeat(1_100_000) })
  },
  unsupported_media_type: async ({ mine, refused }, operation) => {
    const request =
      operation.id === "mediaUpload" ? mine.upload(await mine.reserve()) : await refused(operation)
    return { ...request, headers: { "content-type": "text/csv" } }
  },
  not_found: async ({ mine, run }, operation) => {
    // A sign-in of a later test gives the password alone.
    if (operation.path.startsWith("/v1/session/")) await run((sql) => sql`delete from totp_secrets`)
    if (operation.id === "notificationsTest") await mine.call("DELETE", "/v1/notifications")
    if (operation.id !== "mediaUpload") return missing(operation, mine)
    const reservation = await mine.reserve()
    await mine.call("DELETE", `/v1/media/${reservation.media_id}`)
    return mine.upload(reservation)
  },
  stale_version: async (world, operation) => {
    const request = await (operation.membersOnly !== null
      ? success(world, operation)
      : world.refused(operation))
    return { ...request, headers: { ...request.headers, "if-match": '"99"' } }
  },
  idempotency_key_reused: async (context, operation) => {
    const again = { "idempotency-key": randomUUID() }
    const request = await success(context, operation)
    await context.ask(operation, { ...request, headers: { ...request.headers, ...again } })
    const other = await success(context, operation)
    const { body } = other
    return {
      ...other,
      headers: { ...other.headers, ...again },
      ...(body === undefined ? {} : { body: `${String(body)} ` })
    }
  },
  queue_not_configured: async ({ mine }, operation) => {
    await mine.call("PUT", "/v1/queue", { slots: [] })
    return good(operation, mine)
  },
  post_not_editable: onPublished,
  result_not_unconfirmed: async ({ mine }, operation) => good(operation, mine),
  nothing_to_retry: async ({ mine }, operation) => good(operation, mine),
  nothing_to_decide: async ({ mine }, operation) => good(operation, mine),
  approval_needs_time: (world, operation) => onWaiting(world, operation, "now"),
  upload_incomplete: async ({ mine }) =>
    json("POST", `/v1/media/${(await mine.reserve()).media_id}/complete`, undefined),
  upload_already_complete: async ({ mine }) => {
    const request = mine.upload(await mine.reserve())
    await mine.send(request)
    return { ...request, body: "other bytes" }
  },
  upload_too_large: async () =>
    json("POST", "/v1/media/create-upload-url", { mime_type: "image/png", size_bytes: 2 ** 40 }),
  upload_size_mismatch: async ({ mine }) => {
    const request = mine.upload(await mine.reserve())
    return { ...request, body: "short" }
  },
  media_type_mismatch: async ({ mine }) => {
    const request = mine.upload(await mine.reserve())
    return { ...request, body: Buffer.alloc(Buffer.from(request.body!).length, "a") }
  },
  signature_invalid: async ({ mine }) => {
    const request = mine.upload(await mine.reserve())
    return { ...request, target: request.target.replace(/signature=[^&]+/, "signature=none") }
  },
  media_in_use: async ({ mine, makeKey, workspace }, operation) => {
    const media = await mine.fresh("media")
    await mine.call("POST", "/v1/posts", {
      social_accounts: [await mine.id("account")],
      media: [media],
      scheduled_at: "2090-01-01T00:00:00Z"
    })
    if (operation.method === "DELETE") return json("DELETE", `/v1/media/${media}`, undefined)
    const key = await makeKey(workspace, ["media:write"], [Number(await mine.fresh("account"))])
    const request = json("PATCH", `/v1/media/${media}`, { alt_text: "Bells" })
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }
  },
  webhook_url_not_allowed: async ({ mine, refused }, operation) => {
    const request = await refused(operation)
    const known = await mine.example(operation)
    return json(request.method, request.target, { ...known, url: "ftp://newsroom.example/" })
  },
  review_link_limit_reached: async ({ mine }, operation) => {
    const request = await good(operation, mine)
    while ((await mine.send(request)).status < 300);
    return request
  },
  webhook_limit_reached: async ({ mine }, operation) => {
    const request = await good(operation, mine)
    while ((await mine.send(request)).status < 300);
    return request
  },
  webhook_paused: async ({ mine }, operation) => {
    const webhook = await mine.fresh("webhook")
    const { id } = await mine.call("POST", `/v1/webhooks/${webhook}/test`)
    await mine.call("PATCH", `/v1/webhooks/${webhook}`, { status: "paused" })
    return json(
      operation.method,
      target(operation, () => id),
      undefined
    )
  },
  default_workspace_only: async ({ refused, makeKey, makeWorkspace }, operation) => {
    const key = await makeKey(await makeWorkspace("Not the default one"), ["admin"])
    const request = await refused(operation)
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }
  },
  set_by_environment: async ({ mine }, operation) =>
    json("PUT", "/v1/platform-apps/google", await mine.example(operation)),
  key_in_use: async ({ mine }) => {
    const { id, key } = await mine.call("POST", "/v1/api-keys", { name: "own", scopes: ["admin"] })
    return { method: "DELETE", target: `/v1/api-keys/${id}`, headers: { authorization: `Bearer ${key}` } }
  }
}

/** What a test cannot bring about from outside, or what tests of its own bring about (members: matrix.test.ts, apps: grants.test.ts). */
const elsewhere = new Set([
  "signed_out",
  "foreign_request",
  "workspace_not_found",
  "confirm_password",
  "approval_needed",
  "owner_only",
  "body_too_slow",
  "internal_error",
  "unavailable",
  "storage_full",
  "workspace_full",
  "reservations_full",
  "rate_limited",
  "stream_limit_reached"
])

const codeOf = ({ text }: Answer): string => JSON.parse(text).code

layer(World.layer, { excludeTestServices: true, timeout: "180 seconds" })("every operation", (it) => {
  const requests = new Map<Operation, Promise<WireRequest>>()
  const keys = new Map<Scope, Promise<string>>()
  const kept = <K, A>(of: Map<K, Promise<A>>, key: K, make: () => Promise<A>) => {
    const made = of.get(key) ?? make()
    of.set(key, made)
    return made
  }
  let owner: Promise<SignedIn> | undefined
  const context = Effect.gen(function* () {
    const [world, service] = [yield* World, yield* InProcessService]
    const signedIn = () => (owner ??= SignedIn.make(service))
    return {
      signedIn,
      ask: async (operation: Operation, request: WireRequest) => {
        if (operation.membersOnly === null) return world.mine.send(request)
        const answer = await (await signedIn()).ask(request)
        if (signsOut(operation)) owner = undefined
        return answer
      },
      ...world,
      ...service,
      refused: (operation: Operation) => kept(requests, operation, () => good(operation, world.mine)),
      keyWith: (scope: Scope) => kept(keys, scope, () => service.makeKey(service.workspace, [scope]))
    }
  })

  for (const { id } of operations) {
    it.effect(`${id} answers as the document says, with its success and each of its failures`, () =>
      Effect.gen(function* () {
        const world = yield* context
        const operation = operationOf(id)
        yield* Effect.promise(async () => {
          const ask = async (request: WireRequest, what: string) => {
            const answer = await world.ask(operation, request)
            assert.isNull(answerProblem(operation, answer), `${what}: ${request.method} ${request.target}`)
            return answer
          }
          if (operation.membersOnly !== null) await world.signedIn()
          const first = await success(world, operation)
          if (hasJson(operation) && first.body !== undefined) {
            assert.isNull(bodyProblem(operation, JSON.parse(String(first.body))))
          }
          const { status, text } = await ask(first, "success")
          assert.isBelow(status, 300, text)

          const seen = new Map<number, Set<string>>()
          const wanted = Object.keys(operation.responses)
            .map(Number)
            .filter((one) => one >= 400)
          for (const status of wanted) {
            const codes = codesOf(operation, status)
            for (const code of codes) {
              const failing = failures[code]
              if (failing === undefined) continue
              const answer = await ask(await failing(world, operation), code)
              if (answer.status < 300) continue
              const found = seen.get(answer.status) ?? new Set()
              seen.set(answer.status, found.add(codeOf(answer)))
            }
            if (!codes.every((code) => elsewhere.has(code))) {
              assert.isTrue(
                seen.has(status),
                `${id}: nothing was answered with ${status} (${codes.join(", ")}); see failures`
              )
            }
          }
        })
      })
    )
  }

  it.effect("every problem code is one that some operation can answer with", () =>
    Effect.sync(() => {
      const documented = new Set(
        operations.flatMap((operation) =>
          Object.keys(operation.responses).flatMap((status) => codesOf(operation, status))
        )
      )
      // What is answered outside of every operation.
      const outside = [
        "method_not_allowed",
        "range_not_satisfiable",
        "host_not_allowed",
        // On the page of a review link.
        "review_link_invalid",
        "review_limit_reached",
        "review_closed"
      ]
      assert.sameMembers([...documented, ...outside], Object.keys(problemCodes))
    })
  )
})

layer(InProcessService.layer({ RATE_LIMIT_READS: "1", RATE_LIMIT_WRITES: "1" }), {
  excludeTestServices: true
})("a key that has used up its requests", (it) => {
  for (const operation of operations) {
    if (operation.scope === null) continue
    it.effect(
      `a key that has used up its requests is told by ${operation.id} when it may send the next one`,
      () =>
        Effect.gen(function* () {
          const { url, makeKey, workspace } = yield* InProcessService
          yield* Effect.promise(async () => {
            const headers = { authorization: `Bearer ${await makeKey(workspace, ["admin"])}` }
            const request = { method: operation.method, target: target(operation, unknownId), headers }
            await send(url, request)
            const answer = await send(url, request)
            assert.strictEqual(answer.status, 429, answer.text)
            assert.isNull(answerProblem(operation, answer))
            assert.isAtLeast(Number(answer.headers.get("retry-after")), 1)
            assert.strictEqual(codeOf(answer), "rate_limited")
          })
        })
    )
  }
})

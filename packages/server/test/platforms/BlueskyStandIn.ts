import { makeBluesky } from "@carillon/server/platforms/bluesky/Bluesky"
import { cidOf } from "@carillon/server/platforms/bluesky/Cid"
import { Effect, type Schema } from "effect"
import { HttpClient } from "effect/http"
import { CID } from "multiformats/cid"
import { create } from "multiformats/hashes/digest"
import { createHash } from "node:crypto"
import type { ContractFault, Operation, StandIn } from "./contract.ts"
import { type Received, type Reply, scriptedServer } from "./ScriptedServer.ts"

/** An account of the stand-in. */
/** The address of a file by its content. */
export const linkTo = (bytes: Uint8Array) => {
  const [raw, sha256] = [0x55, 0x12]
  return CID.createV1(raw, create(sha256, createHash("sha256").update(bytes).digest())).toString()
}

interface Account {
  readonly handle: string
  /** By collection and key. */
  readonly records: Map<string, unknown>
  readonly expired: Set<string>
  readonly calls: Array<Operation>
  readonly waiting: Set<() => void>
  faults: ReadonlyArray<readonly [Operation, ContractFault]>
  sessions: number
  /** Of the video that is being made ready: its answer, and how many looks have been taken at it. */
  video: { readonly blob: unknown; looks: number }
}

interface Ref {
  readonly uri: string
  readonly cid: string
}

interface Write {
  readonly collection: string
  readonly rkey: string
  readonly value: { readonly reply?: { readonly root: Ref; readonly parent: Ref } }
}
const keyOf = ({ collection, rkey }: Write) => `${collection}/${rkey}`

const operations: Record<string, Operation> = {
  "server.createSession": "session",
  "server.refreshSession": "session",
  "repo.uploadBlob": "media",
  "repo.applyWrites": "post"
}

const no = (status: number, error: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { error, message: `${error}, by script` }
})
const yes = (json: unknown): Reply => ({ status: 200, json })
const blanks = " ".repeat(8 * 1024 * 1024)
const half = (reply: Reply) => {
  const text = JSON.stringify((reply as { json: unknown }).json)
  return { text: text.slice(0, text.length / 2), length: text.length }
}

/**
 * A PDS and a video service as far as the adapter uses them (https://docs.bsky.app/docs/category/http-reference), that can be told to
 * misbehave.
 */
export const blueskyServer = Effect.gen(function* () {
  const accounts = new Map<string, Account>()
  const didOf = ({ handle }: Account) => `did:plc:${handle.replace(".test", "")}`
  const postsOf = ({ records }: Account) =>
    [...records.keys()].filter((key) => key.startsWith("app.bsky.feed.post/"))

  const accountOf = ({ body, headers, path, query }: Received): readonly [Account | undefined, string] => {
    const token = headers.authorization?.replace("Bearer ", "") ?? ""
    const handle = path.endsWith("createSession")
      ? JSON.parse(body.toString()).identifier
      : (query["jobId"] ?? token).split("/")[1]
    return [accounts.get(handle), token]
  }

  const blobOf = (body: Buffer, mimeType: string) => ({
    $type: "blob",
    ref: { $link: linkTo(body) },
    mimeType,
    size: body.length
  })

  const effectOf = (account: Account, { headers, path, body, query }: Received): Reply => {
    switch (path.replace("/xrpc/com.atproto.", "")) {
      case "server.createSession":
      case "server.refreshSession": {
        const token = `${account.handle}/${++account.sessions}`
        return yes({
          did: didOf(account),
          handle: account.handle,
          accessJwt: `access/${token}`,
          refreshJwt: `refresh/${token}`
        })
      }
      case "server.deleteSession":
        account.expired.add(headers.authorization!.replace("Bearer ", ""))
        return { status: 200 }
      case "repo.uploadBlob":
        return yes({ blob: blobOf(body, headers["content-type"] ?? "") })
      case "server.getServiceAuth":
        return yes({ token: `service/${account.handle}` })
      case "/xrpc/app.bsky.video.getUploadLimits":
        return yes({ canUpload: true })
      case "/xrpc/app.bsky.video.uploadVideo":
        account.video = { blob: blobOf(body, "video/mp4"), looks: 0 }
        return yes({ jobId: `job/${account.handle}`, state: "JOB_STATE_CREATED" })
      case "/xrpc/app.bsky.video.getJobStatus": {
        const { blob, looks } = account.video
        account.video.looks++
        return yes({
          jobStatus: {
            jobId: `job/${account.handle}`,
            ...(looks > 0 ? { state: "JOB_STATE_COMPLETED", blob } : { state: "JOB_STATE_ENCODING" })
          }
        })
      }
      case "repo.applyWrites": {
        const { writes } = JSON.parse(body.toString()) as { writes: ReadonlyArray<Write> }
        // A real server's answer to a key that is taken: test/real shows it.
        if (writes.some((write) => account.records.has(keyOf(write)))) return no(500, "InternalServerError")
        // An answer names a record by its CID too, which only earlier records have.
        const known = new Map([...account.records].map(([key, value]) => [key, cidOf(value as Schema.Json)]))
        for (const { reply, write } of writes.map((write) => ({ reply: write.value.reply, write }))) {
          const isThere = ({ uri, cid }: Ref) => known.get(uri.replace(`at://${didOf(account)}/`, "")) === cid
          if (reply !== undefined && !(isThere(reply.root) && isThere(reply.parent)))
            return no(400, "InvalidRequest")
          known.set(keyOf(write), cidOf(write.value as unknown as Schema.Json))
        }
        for (const write of writes) account.records.set(keyOf(write), write.value)
        account.waiting.forEach((look) => look())
        return yes({
          commit: { cid: "bafyreigh", rev: "3kabcdefghijk" },
          results: writes.map((write) => ({
            $type: "com.atproto.repo.applyWrites#createResult",
            uri: `at://${didOf(account)}/${keyOf(write)}`,
            cid: "bafyreigh"
          }))
        })
      }
      case "repo.getRecord": {
        const key = `${query.collection}/${query.rkey}`
        return account.records.has(key)
          ? yes({ uri: `at://${didOf(account)}/${key}`, cid: "bafyreigh", value: account.records.get(key) })
          : no(400, "RecordNotFound")
      }
      default:
        return no(400, "RecordNotFound")
    }
  }

  const under = (
    fault: ContractFault | undefined,
    account: Account,
    token: string,
    effect: () => Reply
  ): Reply => {
    switch (fault?.fault) {
      case "refuse":
        return no(400, fault.code)
      case "forbidden":
        return no(401, "AccountTakedown")
      case "unauthorized":
        account.expired.add(token)
        return no(400, "ExpiredToken")
      case "rate_limited":
        return no(
          429,
          "RateLimitExceeded",
          fault.retry_after === undefined ? {} : { "retry-after": String(fault.retry_after) }
        )
      case "server_error_before":
        return no(503, "ServiceUnavailable")
      case "reset_before":
        return "reset"
      case "effect_then_server_error":
        effect()
        return no(502, "UpstreamFailure")
      case "effect_then_lost_reply":
        effect()
        return { raw: "" }
      case "long_answer":
        return { status: 200, text: JSON.stringify((effect() as { json: unknown }).json) + blanks }
      case "half_body": {
        const { text, length } = half(effect())
        return fault.cut === true
          ? {
              raw: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${text}`
            }
          : { status: 200, text }
      }
      case "late_effect":
        setTimeout(effect, fault.ms)
        return fault.connection === "hang" ? "silence" : { raw: "" }
      default:
        return effect()
    }
  }

  const { url } = yield* scriptedServer((received) => {
    if (received.path.endsWith("describeServer")) return yes({ did: "did:web:pds.example" })
    const [account, token] = accountOf(received)
    if (account === undefined) return no(400, "RecordNotFound")
    if (account.expired.has(token)) return no(400, "ExpiredToken")
    const on = operations[received.path.replace("/xrpc/com.atproto.", "")]
    if (on !== undefined) account.calls.push(on)
    const at = account.faults.findIndex(([operation]) => operation === on)
    const fault = account.faults[at]?.[1]
    account.faults = account.faults.filter((_, index) => index !== at)
    return under(fault, account, token, () => effectOf(account, received))
  })

  return {
    url,
    accounts,
    postsOf,
    didOf,
    open: (handle: string) =>
      void accounts.set(handle, {
        handle,
        records: new Map(),
        expired: new Set(),
        calls: [],
        waiting: new Set(),
        faults: [],
        sessions: 0,
        video: { blob: null, looks: 0 }
      })
  }
})

export const blueskyStandIn = Effect.gen(function* () {
  const { accounts, didOf, open, postsOf, url } = yield* blueskyServer
  const platform = makeBluesky(yield* HttpClient.HttpClient, yield* HttpClient.HttpClient, {
    video_service: "https://video.bsky.app",
    plc_directory: url,
    handle_resolver: url,
    allow_http: true,
    download: () => Effect.die("a post of the contract has no link")
  })
  const known = (username: string) => accounts.get(username)!

  return {
    platform,
    account: Effect.fn(function* () {
      const handle = `account-${accounts.size}.test`
      open(handle)
      const signIn = { identifier: handle, app_password: "abcd-efgh", service: url }
      return { signIn, account: yield* platform.connect!(signIn) }
    }),
    script: (username, on, faults) =>
      Effect.sync(() => {
        known(username).faults = faults.map((fault) => [on, fault])
      }),
    awaitPosts: (username, count) =>
      Effect.callback<void>((resume) => {
        const { waiting } = known(username)
        const look = () => postsOf(known(username)).length >= count && resume(Effect.void)
        waiting.add(look)
        look()
      }),
    posts: (username) =>
      Effect.sync(() => postsOf(known(username)).map((key) => `at://${didOf(known(username))}/${key}`)),
    calls: (username, on) => Effect.sync(() => known(username).calls.filter((call) => call === on).length)
  } satisfies StandIn
})

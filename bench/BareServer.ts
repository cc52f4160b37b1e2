/**
 * The baseline of bench/http.ts: the two calls on bare node:http and pg, with the statements that they cannot do
 * without. No schema, no scopes, no preflight, no engine to wake; the same rows, indexes and answers.
 */
import { FlushedFileSystem } from "@carillon/server/sql/FlushedFileSystem"
import * as PgliteStream from "@carillon/server/sql/PgliteStream"
import { PGlite } from "@electric-sql/pglite"
import { SecureRandom } from "effect/crypto"
import { createHash, timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex, Writable } from "node:stream"
import { Pool } from "pg"

const { BARE_DATABASE_URL: databaseUrl, BARE_DIRECTORY: directory } = process.env

/** The embedded database as the service opens it, its commits flushed, under pg's own protocol. */
const openEmbedded = async (path: string) => {
  const startParams = PGlite.defaultStartParams
    .filter((parameter) => parameter !== "-F")
    .concat("-c", "wal_sync_method=fsync")
  const open = PgliteStream.connect(await PGlite.create({ fs: new FlushedFileSystem(path), startParams }))
  return () => {
    const stream: Duplex = open()
    // What pg writes at once has to arrive at once: PGlite answers every chunk for itself.
    const writev: Writable["_writev"] = (chunks, done) =>
      stream._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "buffer" as BufferEncoding, done)
    return Object.assign(stream, {
      _writev: writev,
      setNoDelay: () => stream,
      setKeepAlive: () => stream,
      ref: () => stream,
      unref: () => stream,
      connect: () => process.nextTick(() => stream.emit("connect"))
    })
  }
}

// As many connections as the service has.
const pool = new Pool(
  databaseUrl === undefined
    ? {
        stream: await openEmbedded(directory!),
        user: "postgres",
        database: "postgres",
        max: 1,
        idleTimeoutMillis: 0
      }
    : { connectionString: databaseUrl, max: 10, idleTimeoutMillis: 0 }
)

// Named, so that each connection parses and plans it once: the service's client does the same.
const statement = (name: string, text: string) => (values: ReadonlyArray<unknown>) => ({
  name,
  text,
  values: [...values]
})

const keyById = statement(
  "key",
  `select k.id, k.name, k.scopes, k.social_accounts, k.expires_at, k.last_used_at, k.created_at, k.secret_hash,
    k.workspace_id, w.timezone
  from api_keys k join workspaces w on w.id = k.workspace_id where k.id = $1`
)
const insertPost = statement(
  "post",
  `insert into posts (id, workspace_id, status, caption, scheduled_at, social_accounts, media, processing_enabled,
    warnings, version, created_at, updated_at)
  values ($1, $2, 'scheduled', $3, $4, $5, '{}', true, '{}', 1, $6, $6)`
)
const insertTarget = statement(
  "target",
  `insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead, created_at)
  values ($1, $2, $3, $4, 'sandbox', 'waiting', $5, $5::timestamptz - interval '1500 milliseconds',
    interval '1500 milliseconds', $6)`
)
const page = statement(
  "page",
  `select p.id, p.status, p.caption, p.scheduled_at, p.social_accounts, p.media, p.platform_configurations,
    p.account_configurations, p.processing_enabled, p.warnings, p.created_at, p.updated_at, p.published_at, g.progress
  from (
    select * from posts p where p.workspace_id = $1 order by p.created_at desc, p.id desc limit $2 offset $3
  ) p cross join lateral (
    select jsonb_build_object(
      'total', count(*),
      'waiting', count(*) filter (where t.state in ('draft', 'waiting')),
      'publishing', count(*) filter (where t.state in ('claimed', 'committing', 'unknown')),
      'published', count(*) filter (where t.state = 'published'),
      'failed', count(*) filter (where t.state = 'failed'),
      'unconfirmed', count(*) filter (where t.state = 'unconfirmed')) as progress
    from targets t where t.post_id = p.id
  ) g order by p.created_at desc, p.id desc`
)
const count = statement("count", "select count(*)::int as total from posts p where p.workspace_id = $1")

const authenticate = async (request: IncomingMessage): Promise<string | undefined> => {
  const [, id, secret] =
    /^Bearer crl_([a-z0-9]{12})_([\w-]{43})$/.exec(request.headers.authorization ?? "") ?? []
  if (id === undefined) return undefined
  const [key] = (await pool.query(keyById([id]))).rows
  if (key === undefined || !timingSafeEqual(createHash("sha256").update(secret!).digest(), key.secret_hash))
    return undefined
  return key.workspace_id
}

const readJson = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

const create = async (workspaceId: string, request: IncomingMessage) => {
  const { caption, scheduled_at, social_accounts } = await readJson(request)
  const due = new Date(scheduled_at)
  const [account] = social_accounts
  if (typeof caption !== "string" || !Number.isInteger(account) || Number.isNaN(due.getTime()))
    return undefined
  const now = new Date()
  const id = SecureRandom.uuidV7Unsafe()
  const targetId = SecureRandom.uuidV7Unsafe()
  const connection = await pool.connect()
  try {
    await connection.query("begin")
    await connection.query(insertPost([id, workspaceId, caption, due, [account], now]))
    await connection.query(insertTarget([targetId, id, workspaceId, account, due, now]))
    await connection.query("commit")
  } finally {
    connection.release()
  }
  return {
    id,
    status: "scheduled",
    caption,
    scheduled_at: due,
    is_draft: false,
    use_queue: false,
    social_accounts: [account],
    media: [],
    platform_configurations: null,
    account_configurations: null,
    processing_enabled: true,
    progress: { total: 1, waiting: 1, publishing: 0, published: 0, failed: 0, unconfirmed: 0 },
    warnings: [],
    created_at: now,
    updated_at: now,
    published_at: null,
    results: [
      {
        id: targetId,
        post_id: id,
        social_account_id: account,
        platform: "sandbox",
        status: "waiting",
        success: false,
        attempts: 0,
        next_attempt_at: due,
        published_at: null,
        platform_data: null,
        error: null
      }
    ]
  }
}

const list = async (workspaceId: string, url: URL) => {
  const limit = Number(url.searchParams.get("limit") ?? 50)
  const offset = Number(url.searchParams.get("offset") ?? 0)
  const { rows } = await pool.query(page([workspaceId, limit, offset]))
  const total: number = (await pool.query(count([workspaceId]))).rows[0].total
  const data = rows.map(({ progress, ...row }) => ({
    ...row,
    social_accounts: row.social_accounts.map(Number),
    is_draft: row.status === "draft",
    use_queue: false,
    progress
  }))
  url.searchParams.set("offset", String(offset + limit))
  return { data, meta: { total, offset, limit, next: offset + limit < total ? url.href : null } }
}

const server = createServer(async (request, response) => {
  const answer = (status: number, body: unknown) => {
    const text = JSON.stringify(body)
    response
      .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
      .end(text)
  }
  try {
    const workspaceId = await authenticate(request)
    if (workspaceId === undefined) return answer(401, { code: "unauthorized" })
    const url = new URL(request.url!, "http://127.0.0.1")
    if (url.pathname !== "/v1/posts") return answer(404, { code: "not_found" })
    if (request.method === "GET") return answer(200, await list(workspaceId, url))
    const created = await create(workspaceId, request)
    return created === undefined ? answer(400, { code: "invalid_request" }) : answer(201, created)
  } catch (error) {
    return answer(500, { code: "internal_error", message: String(error) })
  }
}).listen(0, "127.0.0.1")
await once(server, "listening")
process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })

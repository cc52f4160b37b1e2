/**
 * The baseline of the create in bench/http.ts: fastify and pg with the rows that a create has to write, that of its
 * Idempotency-Key among them, in one transaction as it is usually written. The credential is looked up once and then
 * kept. No preflight, no engine to wake, no encryption.
 */
import { SecureRandom } from "effect/crypto"
import Fastify from "fastify"
import { createHash } from "node:crypto"
import { authenticate, pool, statement } from "./BarePool.ts"

const insertKey = statement(
  "key-record",
  `insert into idempotency_keys (workspace_id, owner, key, request_hash, answer, expires_at)
  values ($1, 'bench', $2, $3, $4, $5)`
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

const workspaces = new Map<string, string>()

const server = Fastify()
server.decorateRequest("workspaceId", "")
server.addHook("onRequest", async (request, reply) => {
  const credential = request.headers.authorization ?? ""
  const workspaceId = workspaces.get(credential) ?? (await authenticate(request))
  if (workspaceId === undefined) return reply.code(401).send({ code: "unauthorized" })
  workspaces.set(credential, workspaceId)
  request.setDecorator("workspaceId", workspaceId)
})

const schema = {
  body: {
    type: "object",
    required: ["social_accounts", "caption", "scheduled_at"],
    additionalProperties: false,
    properties: {
      social_accounts: { type: "array", items: { type: "integer" }, minItems: 1 },
      caption: { type: "string", maxLength: 20_000 },
      scheduled_at: { type: "string", format: "date-time" }
    }
  }
}

interface Body {
  readonly social_accounts: ReadonlyArray<number>
  readonly caption: string
  readonly scheduled_at: string
}

server.post<{ Body: Body }>("/v1/posts", { schema }, async (request, reply) => {
  const workspaceId = request.getDecorator<string>("workspaceId")
  const key = request.headers["idempotency-key"]
  const { caption, scheduled_at, social_accounts } = request.body
  const due = new Date(scheduled_at)
  const [account] = social_accounts
  const now = new Date()
  const id = SecureRandom.uuidV7Unsafe()
  const targetId = SecureRandom.uuidV7Unsafe()
  const text = JSON.stringify(answerOf(id, targetId, account!, caption, due, now))
  const hash = createHash("sha256").update(JSON.stringify(request.body)).digest()
  const connection = await pool.connect()
  try {
    await connection.query("begin")
    await connection.query(
      insertKey([workspaceId, key, hash, Buffer.from(text), new Date(now.getTime() + 86_400_000)])
    )
    await connection.query(insertPost([id, workspaceId, caption, due, [account], now]))
    await connection.query(insertTarget([targetId, id, workspaceId, account, due, now]))
    await connection.query("commit")
  } finally {
    connection.release()
  }
  return reply.code(201).header("etag", '"1"').type("application/json").send(text)
})

const answerOf = (id: string, targetId: string, account: number, caption: string, due: Date, now: Date) => ({
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
})

process.send!({ url: await server.listen({ port: 0, host: "127.0.0.1" }) })

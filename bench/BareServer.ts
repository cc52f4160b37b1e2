/**
 * The baseline of the list in bench/http.ts: bare node:http and pg, with the statements that it cannot do without. No
 * schema and no scopes; the same rows, indexes and answers.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { authenticate, pool, statement } from "./BarePool.ts"

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
    return answer(200, await list(workspaceId, new URL(request.url!, "http://127.0.0.1")))
  } catch (error) {
    return answer(500, { code: "internal_error", message: String(error) })
  }
}).listen(0, "127.0.0.1")
await once(server, "listening")
process.send!({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })

/** pg as the baselines use it: the service's database, as many connections as the service has, named statements. */
import { FlushedFileSystem } from "@carillon/server/sql/FlushedFileSystem"
import * as PgliteStream from "@carillon/server/sql/PgliteStream"
import { PGlite } from "@electric-sql/pglite"
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { Duplex, Writable } from "node:stream"
import { Pool } from "pg"

const { BARE_DATABASE_URL: databaseUrl, BARE_DIRECTORY: directory } = process.env

/** The embedded database as the service opens it, its commits flushed, under pg's own protocol. */
const openEmbedded = async (path: string) => {
  const startParams = PGlite.defaultStartParams
    .filter((parameter) => parameter !== "-F")
    .concat("-c", "wal_sync_method=fsync")
  const pglite = await PGlite.create({ fs: new FlushedFileSystem(path), startParams })
  const open = PgliteStream.connect(async () => pglite)
  return () => {
    const stream: Duplex = open()
    // A write of pg's has to arrive whole, because PGlite answers every chunk by itself.
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
export const pool = new Pool(
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
export const statement = (name: string, text: string) => (values: ReadonlyArray<unknown>) => ({
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
/** The workspace of a valid credential. */
export const authenticate = async (
  request: Pick<IncomingMessage, "headers">
): Promise<string | undefined> => {
  const [, id, secret] =
    /^Bearer crl_([a-z0-9]{12})_([\w-]{43})$/.exec(request.headers.authorization ?? "") ?? []
  if (id === undefined) return undefined
  const [key] = (await pool.query(keyById([id]))).rows
  if (key === undefined || !timingSafeEqual(createHash("sha256").update(secret!).digest(), key.secret_hash))
    return undefined
  return key.workspace_id
}

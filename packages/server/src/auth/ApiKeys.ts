import {
  type ApiKey,
  ApiKeyId,
  type AuditActor,
  type BadRequest,
  type Conflict,
  type CreateApiKey,
  CurrentActor,
  type NewApiKey,
  type NotFound,
  type Page,
  problem,
  SocialAccountId,
  type Unauthorized,
  type Workspace,
  type WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import * as crypto from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { actingCredential, Audit, theInstance } from "../audit/Audit.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { ApiKeyRepository, type Credential } from "./ApiKeyRepository.ts"
import { makeCredentialCache } from "./CredentialCache.ts"
import { firstKeyFile, firstKeyId, removeFirstKey, writeFirstKey } from "./FirstKeyFile.ts"

/** A key that a request may use; `id` is null for the bootstrap key. */
export interface AcceptedKey extends Pick<
  Credential,
  | "workspace_id"
  | "timezone"
  | "scopes"
  | "social_accounts"
  | "created_by"
  | "member_role"
  | "member_accounts"
> {
  readonly id: ApiKeyId | null
  readonly name: string | null
}

export type FirstKey = { readonly key: string } | { readonly file: string }

interface OwnKey {
  readonly type: "api_key"
  readonly name: string | null
  readonly member: null
  readonly expires_at: DateTime.Utc | null
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    authenticate(token: Redacted.Redacted): Effect.Effect<AcceptedKey, Unauthorized>
    create(request: CreateApiKey): Effect.Effect<NewApiKey, BadRequest, CurrentActor>
    list(page: Page): Effect.Effect<{ data: ReadonlyArray<ApiKey>; total: number }, never, CurrentActor>
    delete(id: string): Effect.Effect<ApiKeyId, NotFound | Conflict, CurrentActor>
    /** The request's own key, for its owner to read. */
    readonly own: Effect.Effect<OwnKey, never, CurrentActor>
    /** Makes a key with the scope `admin` in a workspace that has none yet. */
    firstOf(workspace: Workspace): Effect.Effect<NewApiKey>
    /**
     * The first key of an instance that has no owner, no other key and no bootstrap key: the key itself, made now for a
     * terminal, or the file in DATA_DIR that holds it until it is used or there is an owner.
     */
    first(onTerminal: boolean): Effect.Effect<Option.Option<FirstKey>>
    /** Removes that file once it has served. */
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/auth/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* ApiKeyRepository
      const audit = yield* Audit
      const workspaces = yield* Workspaces
      const accounts = yield* SocialAccounts
      const config = yield* AppConfig
      const wakeup = yield* Wakeup
      const kept = yield* makeCredentialCache<Credential>(wakeup.credentials)
      const home = yield* makeCredentialCache<Effect.Success<typeof workspaces.default>>(wakeup.credentials)

      const bootstrapHash = Option.match(config.bootstrapApiKey, {
        onNone: () => null,
        onSome: (key) => hash(Redacted.value(key))
      })

      const authenticate = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const text = Redacted.value(token)
        if (text === "") {
          return yield* problem(
            "unauthorized",
            "No API key was sent; send the header Authorization: Bearer <API key>."
          )
        }
        if (bootstrapHash !== null && crypto.timingSafeEqual(hash(text), bootstrapHash)) {
          const workspace = yield* home.get("default", Effect.asSome(workspaces.default))
          const { id: workspace_id, timezone } = Option.getOrThrow(workspace)
          return {
            id: null,
            name: null,
            workspace_id,
            timezone,
            scopes: ["admin" as const],
            social_accounts: null,
            created_by: null,
            member_role: null,
            member_accounts: null
          }
        }
        const [, id, secret] = /^crl_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/.exec(text) ?? []
        const found = id === undefined ? Option.none() : yield* kept.get(id, repository.credential(id))
        if (Option.isNone(found) || !crypto.timingSafeEqual(hash(secret!), found.value.secret_hash)) {
          return yield* problem(
            "unauthorized",
            "This service does not recognize the API key; check that it was copied completely."
          )
        }
        const key = found.value
        const now = yield* DateTime.now
        if (key.expires_at !== null && DateTime.isLessThanOrEqualTo(key.expires_at, now)) {
          return yield* problem(
            "key_expired",
            `The API key ${key.name} expired at ${DateTime.formatIso(key.expires_at)}.`
          )
        }
        // Once a minute is exact enough, and spares every request a write.
        if (
          key.last_used_at === null ||
          DateTime.isGreaterThan(now, DateTime.add(key.last_used_at, { minutes: 1 }))
        ) {
          yield* repository.used(key.id, DateTime.toDateUtc(now))
          if (firstKeyId(config.dataDir) === key.id) yield* removeFirstKey(config.dataDir)
          kept.forget(key.id)
        }
        return key
      })

      const keep = Effect.fnUntraced(
        function* (
          actor: AuditActor,
          workspaceId: WorkspaceId,
          asked: Pick<ApiKey, "name" | "scopes" | "social_accounts" | "expires_at">,
          createdBy: string | null
        ) {
          const { id, secret, key } = generate()
          const row = { ...asked, id, last_used_at: null, created_at: yield* DateTime.now }
          yield* repository.insert({
            ...row,
            workspace_id: workspaceId,
            secret_hash: hash(secret),
            created_by: createdBy
          })
          yield* audit.record({
            workspace_id: workspaceId,
            actor,
            action: "api_key.created",
            subject: { type: "api_key", id, name: row.name }
          })
          return { ...row, key }
        },
        sql.withTransaction,
        Effect.orDie
      )

      const create = Effect.fn("ApiKeys.create")(function* (request: CreateApiKey) {
        const actor = yield* CurrentActor
        const now = yield* DateTime.now
        const expiresAt = request.expires_at ?? null
        if (expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, now)) {
          return yield* problem("invalid_request", [
            {
              path: "expires_at",
              code: "invalid_value",
              message: "expires_at has passed; choose a time in the future."
            }
          ])
        }
        const allowed = request.social_accounts ?? null
        if (allowed !== null && request.scopes.includes("admin")) {
          return yield* problem("invalid_request", [
            {
              path: "social_accounts",
              code: "invalid_value",
              message:
                "social_accounts cannot be given to a key with the scope admin, which makes webhooks and keys that see every account. Leave social_accounts out, or give the key other scopes."
            }
          ])
        }
        if (allowed !== null) yield* accounts.existing(actor.workspace_id, allowed)
        return yield* keep(
          yield* actingCredential,
          actor.workspace_id,
          {
            name: request.name,
            scopes: request.scopes,
            social_accounts: allowed?.map((account) => SocialAccountId.make(account)) ?? null,
            expires_at: expiresAt
          },
          actor.member_id
        )
      })

      const list = Effect.fn("ApiKeys.list")(function* (page: Page) {
        const actor = yield* CurrentActor
        const { data, total } = yield* repository.list(actor.workspace_id, page)
        return {
          data: data.map((key) => ({
            ...key,
            social_accounts: key.social_accounts?.map((account) => SocialAccountId.make(account)) ?? null
          })),
          total
        }
      })

      const forget = Effect.fnUntraced(
        function* (workspaceId: WorkspaceId, id: ApiKeyId) {
          const deleted = yield* repository.delete(workspaceId, id)
          if (Option.isSome(deleted)) {
            yield* audit.record({
              workspace_id: workspaceId,
              actor: yield* actingCredential,
              action: "api_key.deleted",
              subject: { type: "api_key", ...deleted.value }
            })
          }
          return deleted
        },
        sql.withTransaction,
        Effect.orDie
      )

      const remove = Effect.fn("ApiKeys.delete")(function* (id: string) {
        const actor = yield* CurrentActor
        if (actor.key_id === id) {
          return yield* problem(
            "key_in_use",
            `The key ${id} is the one this request was made with; delete it with another.`
          )
        }
        const deleted = Schema.is(ApiKeyId)(id) ? yield* forget(actor.workspace_id, id) : Option.none()
        if (Option.isNone(deleted)) return yield* problem("not_found", `There is no API key ${id}.`)
        yield* wakeup.credentials.notify
        return deleted.value.id
      })

      const firstOf = (workspace: Workspace) =>
        keep(
          theInstance,
          workspace.id,
          { name: "First key", scopes: ["admin"], social_accounts: null, expires_at: null },
          null
        )

      // The sweeper must not take the file of a key that is not committed yet.
      const file = yield* Semaphore.make(1)

      const removeServed = Effect.gen(function* () {
        const id = firstKeyId(config.dataDir)
        if (id !== undefined && !(yield* repository.isAwaited(id))) yield* removeFirstKey(config.dataDir)
      })

      const first = Effect.fnUntraced(
        function* (onTerminal: boolean) {
          yield* removeServed
          if (Option.isSome(config.bootstrapApiKey)) return Option.none()
          const inFile = Option.some({ file: firstKeyFile(config.dataDir) })
          if (!(yield* repository.isLocked))
            return firstKeyId(config.dataDir) === undefined ? Option.none() : inFile
          const { key } = yield* firstOf(yield* workspaces.default)
          if (onTerminal) return Option.some({ key })
          // Before the commit: a process that dies in between leaves no key that nobody has seen.
          yield* writeFirstKey(config.dataDir, key)
          return inFile
        },
        sql.withTransaction,
        Effect.orDie,
        file.withPermit
      )

      const own = Effect.gen(function* () {
        const { key_id } = yield* CurrentActor
        const found = key_id === null ? Option.none() : yield* repository.credential(key_id)
        const { expires_at = null, name = null } = Option.getOrElse(found, () => ({}) as Partial<Credential>)
        return { type: "api_key", name, member: null, expires_at } as const
      })

      return ApiKeys.of({
        own,
        authenticate,
        create,
        list,
        delete: remove,
        firstOf,
        first,
        collect: file.withPermit(removeServed)
      })
    })
  ).pipe(Layer.provide(ApiKeyRepository.layer))
}

// The secret has 256 random bits, so a plain hash is as good as a slow one and costs nothing per request.
const hash = (secret: string) => crypto.hash("sha256", secret, "buffer")

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

const generate = () => {
  const id = ApiKeyId.make(
    Array.from({ length: 12 }, () => alphabet[crypto.randomInt(alphabet.length)]).join("")
  )
  const secret = crypto.randomBytes(32).toString("base64url")
  return { id, secret, key: `crl_${id}_${secret}` }
}

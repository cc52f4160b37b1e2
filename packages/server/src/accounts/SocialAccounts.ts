import {
  type BadRequest,
  type ConnectAccount,
  CurrentActor,
  type NotFound,
  type Page,
  optionSchemas,
  platformRules,
  rulesFor,
  problem,
  type SocialAccount,
  type SocialAccountFilter,
  type SocialAccountId,
  type SocialAccountOptions,
  toSocialAccountId,
  type UpdateSocialAccount,
  type WorkspaceId,
  sees
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { actingCredential, Audit } from "../audit/Audit.ts"
import type { Credentials, Destination, Platform, PublishError } from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"
import { AccountEvents } from "./AccountEvents.ts"
import { type AccountStore, auditSubject, makeAccountStore } from "./AccountStore.ts"
import { DemoAccountRepository } from "./DemoAccountRepository.ts"
import { destinationCalled, destinationsSentence } from "./Destinations.ts"
import { makeKnownDestinations } from "./KnownDestinations.ts"
import { Revocations } from "./Revocations.ts"
import { type SocialAccountRow, SocialAccountRepository } from "./SocialAccountRepository.ts"
import { SocialAccountView } from "./SocialAccountView.ts"
import { TokenVault } from "./TokenVault.ts"

const mostCached = 10_000

export class SocialAccounts extends Context.Service<
  SocialAccounts,
  AccountStore & {
    list(
      filter: SocialAccountFilter,
      page: Page
    ): Effect.Effect<{ data: ReadonlyArray<SocialAccount>; total: number }, never, CurrentActor>
    get(id: string): Effect.Effect<SocialAccount, NotFound, CurrentActor>
    connect(request: ConnectAccount): Effect.Effect<SocialAccount, BadRequest, CurrentActor>
    options(id: string): Effect.Effect<SocialAccountOptions, NotFound, CurrentActor>
    update(
      id: string,
      changes: UpdateSocialAccount
    ): Effect.Effect<SocialAccount, NotFound | BadRequest, CurrentActor>
    /**
     * The account's destinations; null where they cannot be found out. The platform is asked, for a few seconds, unless
     * all that are `named` are among those that it listed within the last hour. Not inside a transaction.
     */
    destinations(id: number, named?: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Destination> | null>
    disconnect(id: string): Effect.Effect<SocialAccountId, NotFound, CurrentActor>
    /** The accounts with these ids; fails naming every id that the workspace does not have. */
    existing(
      workspaceId: WorkspaceId,
      ids: ReadonlyArray<number>
    ): Effect.Effect<ReadonlyArray<SocialAccountRow>, BadRequest>
    /** The accounts with these ids that exist. */
    find(workspaceId: WorkspaceId, ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<SocialAccountRow>>
    /** The accounts with these ids that exist, as the API shows them. */
    shown(ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<SocialAccount>, never, CurrentActor>
    /** The accounts as `find` last read them; null if it has not read all. For a `NewPost`, which says so if one has changed. */
    findCached(workspaceId: WorkspaceId, ids: ReadonlyArray<number>): ReadonlyArray<SocialAccountRow> | null
  }
>()("@carillon/server/accounts/SocialAccounts") {
  static readonly layer = Layer.effect(
    SocialAccounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* SocialAccountRepository
      const platforms = yield* Platforms
      const vault = yield* TokenVault
      const queue = yield* TargetQueue
      const revocations = yield* Revocations
      const audit = yield* Audit
      const view = yield* SocialAccountView
      const events = yield* AccountEvents

      const list = Effect.fn("SocialAccounts.list")(function* (filter: SocialAccountFilter, page: Page) {
        const actor = yield* CurrentActor
        const { data, total } = yield* repository.list(
          actor.workspace_id,
          actor.social_accounts,
          filter,
          page
        )
        return { data: yield* view.all(data), total }
      })

      const get = Effect.fn("SocialAccounts.get")(function* (text: string) {
        const actor = yield* CurrentActor
        const id = toSocialAccountId(text)
        const [row] =
          id === undefined || !sees(id, actor.social_accounts)
            ? []
            : yield* repository.byIds(actor.workspace_id, [id])
        return row === undefined ? yield* missing(text) : yield* view.one(row)
      })

      /** Asks the account's platform, unless it offers no such thing. */
      const ask = Effect.fnUntraced(function* <A>(
        id: number,
        question: (
          platform: Platform
        ) => ((credentials: Credentials, remote_id: string) => Effect.Effect<A, PublishError>) | undefined,
        otherwise: A
      ) {
        const row = Option.getOrUndefined(yield* repository.byId(id))
        const platform = Option.getOrUndefined(row ? platforms.get(row.platform) : Option.none())
        const asked = platform && question(platform)
        return row === undefined || platform === undefined || asked === undefined
          ? otherwise
          : yield* vault.use(platform, row, (credentials) => asked(credentials, row.remote_id))
      })

      const options = Effect.fn("SocialAccounts.options")(function* (text: string) {
        const account = yield* get(text)
        const { id, platform } = account
        const { placements } = rulesFor(account)
        const asked = yield* Effect.result(ask(id, ({ choices }) => choices, {}))
        return {
          account_id: id,
          platform,
          placements,
          choices: Result.getOrElse(asked, () => ({})),
          choices_error: Result.match(asked, { onFailure: ({ message }) => message, onSuccess: () => null }),
          schema: optionSchemas[platform]
        }
      })

      const destinations = yield* makeKnownDestinations((id) =>
        Effect.orElseSucceed(
          ask<ReadonlyArray<Destination> | null>(id, ({ destinations }) => destinations, null),
          () => null
        )
      )

      const destinationFor = Effect.fnUntraced(function* (account: SocialAccount, chosen: string) {
        const { id, platform } = account
        const offered =
          platformRules[platform].destinations === undefined ? [] : yield* destinations.find(id, [chosen])
        // If the platform does not answer, it is taken as an id.
        const called = offered === null ? null : destinationCalled(platform, offered, chosen)
        if (called === null) return chosen
        if (Result.isSuccess(called)) return called.success.id
        return yield* refused(
          account,
          "default_board_id",
          "destination_not_found",
          `${called.failure} ${destinationsSentence(platform, offered)}`
        )
      })

      const audienceFor = Effect.fnUntraced(function* (account: SocialAccount, chosen: string) {
        const option = platformRules[account.platform].audience_option
        const asked =
          option === undefined
            ? Option.some({})
            : yield* Effect.option(ask(account.id, ({ choices }) => choices, {}))
        // If the platform does not answer, it is taken as it is.
        if (Option.isNone(asked)) return chosen
        const choices: unknown = option === undefined ? [] : (asked.value as Choices)[option]
        const offered = Array.isArray(choices) ? choices.map(String) : []
        if (offered.includes(chosen)) return chosen
        return yield* refused(
          account,
          "default_privacy_level",
          "privacy_level_not_offered",
          offered.length === 0
            ? "has no audiences to choose from."
            : `does not offer ${JSON.stringify(chosen)}; it has ${offered.join(", ")}.`
        )
      })

      const update = Effect.fn("SocialAccounts.update")(function* (
        text: string,
        { default_board_id: board, default_privacy_level: level }: UpdateSocialAccount
      ) {
        const account = yield* get(text)
        if (board === undefined && level === undefined) return account
        const { workspace_id } = yield* CurrentActor
        const row = yield* repository.setDefaults(workspace_id, account.id, {
          ...(board === undefined
            ? {}
            : { default_board_id: board === null ? null : yield* destinationFor(account, board) }),
          ...(level === undefined
            ? {}
            : { default_privacy_level: level === null ? null : yield* audienceFor(account, level) })
        })
        return Option.isNone(row) ? yield* missing(text) : yield* view.one(row.value)
      })

      const connect = Effect.fn("SocialAccounts.connect")(function* (request: ConnectAccount) {
        const actor = yield* CurrentActor
        const platform = Option.getOrUndefined(platforms.get(request.platform))
        if (platform?.connect === undefined) {
          return yield* problem(
            "platform_not_supported",
            `The platform ${request.platform} is not available on this instance.`
          )
        }
        const connected = yield* platform.connect(request.credentials).pipe(
          Effect.mapError((failure) =>
            problem("credentials_rejected", [
              {
                path: "credentials",
                code: failure.code,
                message: `${platformRules[request.platform].name}: ${failure.message}`
              }
            ])
          )
        )
        return yield* store(yield* actingCredential, actor.workspace_id, request.platform, connected)
      })

      const { known, store, storeAll } = yield* makeAccountStore(destinations.forget)

      const disconnect = Effect.fn("SocialAccounts.disconnect")(function* (text: string) {
        const account = yield* get(text)
        const { id } = account
        const { workspace_id } = yield* CurrentActor
        const { credentials, ...before } = yield* Effect.gen(function* () {
          const before = yield* repository.disconnect(workspace_id, id, yield* DateTime.now)
          if (before.was_connected) {
            const actor = yield* actingCredential
            const action = "account.disconnected"
            yield* audit.record({ workspace_id, actor, action, subject: auditSubject(account) })
            if (before.wanted) yield* events.disconnected(id)
          }
          return before
        }).pipe(sql.withTransaction, Effect.orDie)
        // The network itself never gave a demo account its access.
        if (credentials !== null && account.demo !== "replaced")
          yield* revocations.begin({ ...before, credentials })
        // Targets that waited for a reconnection now wait for nothing.
        yield* queue.resumeAccount(id)
        return id
      })

      const cache = new Map<number, SocialAccountRow>()

      const find = (workspaceId: WorkspaceId, ids: ReadonlyArray<number>) =>
        Effect.tap(repository.byIds(workspaceId, ids), (rows) =>
          Effect.sync(() => {
            if (cache.size >= mostCached) cache.clear()
            for (const row of rows) cache.set(row.id, row)
          })
        )

      const shown = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
        const { workspace_id } = yield* CurrentActor
        return yield* view.all(yield* find(workspace_id, ids))
      })

      const findCached = (workspaceId: WorkspaceId, ids: ReadonlyArray<number>) => {
        const rows = ids.flatMap((id) => cache.get(id) ?? [])
        return rows.length === ids.length && rows.every((row) => row.workspace_id === workspaceId)
          ? rows
          : null
      }

      const existing = Effect.fn("SocialAccounts.existing")(function* (
        workspaceId: WorkspaceId,
        ids: ReadonlyArray<number>
      ) {
        const rows = yield* find(workspaceId, ids)
        const unknown = ids.filter((id) => !rows.some((row) => row.id === id))
        if (unknown.length > 0) {
          return yield* problem(
            "social_account_not_found",
            unknown.map((id) => ({
              path: `social_accounts[${ids.indexOf(id)}]`,
              code: "social_account_not_found",
              message: `There is no social account ${id}.`
            }))
          )
        }
        return rows
      })

      return SocialAccounts.of({
        list,
        get,
        options,
        update,
        destinations: destinations.find,
        connect,
        store,
        storeAll,
        known,
        disconnect,
        existing,
        find,
        shown,
        findCached
      })
    })
  ).pipe(
    Layer.provide([
      SocialAccountRepository.layer,
      DemoAccountRepository.layer,
      AccountEvents.layer,
      Revocations.layer
    ])
  )
}

type Choices = { readonly [name: string]: unknown }

const refused = (
  { id, platform, username }: SocialAccount,
  path: string,
  code: "destination_not_found" | "privacy_level_not_offered",
  why: string
) => problem(code, [{ path, code, message: `The account ${id} (${platform}, @${username}) ${why}` }])

const missing = (id: string) => problem("not_found", `There is no social account ${id}.`)

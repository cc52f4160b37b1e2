import {
  AccountLimits,
  type ChooseAccounts,
  type ChosenAccounts,
  type BadRequest,
  type Conflict,
  CurrentActor,
  mostOffered,
  type NotFound,
  offerMatches,
  type OfferedAccount,
  type PendingConnection,
  type PendingConnectionFilter,
  platformName,
  problem,
  sees,
  SocialAccountId,
  toPendingConnectionId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { actingCredential } from "../audit/Audit.ts"
import type { ConnectedAccount } from "../platforms/Platform.ts"
import { storedName } from "./AccountStore.ts"
import { type Connected, ConnectFailed, deadLink } from "./ConnectOutcome.ts"
import { type Connection, ConnectRepository, type Pending } from "./ConnectRepository.ts"
import { expiry, hash, makeConnectionSecrets, secret } from "./ConnectTickets.ts"
import { SocialAccounts } from "./SocialAccounts.ts"

/**
 * Connections from the sign-in to their end. A sign-in that opens several accounts waits for a choice: of the credential that
 * began it, or of the browser that signed in. What was not chosen is forgotten in the transaction that connects the rest.
 */
export class PendingConnections extends Context.Service<
  PendingConnections,
  {
    /** Connects what a sign-in opened if there is nothing to choose; otherwise the accounts wait, encrypted. */
    settle(
      connection: Connection,
      found: ReadonlyArray<ConnectedAccount>,
      browser: string
    ): Effect.Effect<Connected, ConnectFailed>
    /** The person in the browser has chosen accounts, by position. */
    chooseAt(connection: Connection, chosen: ReadonlyArray<number>): Effect.Effect<Connected, ConnectFailed>
    get(id: string, filter: PendingConnectionFilter): Effect.Effect<PendingConnection, NotFound, CurrentActor>
    choose(
      id: string,
      choice: ChooseAccounts
    ): Effect.Effect<ChosenAccounts, BadRequest | NotFound | Conflict, CurrentActor>
    /** Deletes what has expired. */
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/accounts/PendingConnections") {
  static readonly layer = Layer.effect(
    PendingConnections,
    Effect.gen(function* () {
      const accounts = yield* SocialAccounts
      const repository = yield* ConnectRepository
      const { seal, unseal } = yield* makeConnectionSecrets

      const offeredBy = (connection: Connection) => decodeAccounts(unseal(connection)["accounts"])

      /** null: another request has ended the connection. */
      const keep = (
        { begun_by, id, platform, workspace_id }: Connection,
        chosen: ReadonlyArray<ConnectedAccount>
      ) =>
        accounts.storeAll(begun_by, workspace_id, platform, chosen, {
          begin: repository.end(id),
          end: (stored) =>
            repository.keepConnected(
              id,
              stored.map((account) => account.id)
            )
        })

      const connected = Effect.fnUntraced(function* (
        connection: Connection,
        chosen: ReadonlyArray<ConnectedAccount>
      ) {
        const kept = yield* keep(connection, chosen)
        if (kept === null) return yield* deadLink
        return {
          _tag: "connected",
          accounts: kept,
          redirect_url: connection.redirect_url
        } satisfies Connected
      })

      const settle = Effect.fn("PendingConnections.settle")(function* (
        connection: Connection,
        found: ReadonlyArray<ConnectedAccount>,
        browser: string
      ) {
        const { offer_others, platform, reconnects, redirect_url, workspace_id } = connection
        if (reconnects !== null && !offer_others) {
          const known = yield* accounts.known(workspace_id, platform, found)
          const same = found.find(({ remote_id }) => known.get(remote_id)?.id === reconnects)
          if (same !== undefined) return yield* connected(connection, [same])
          const [wanted] = yield* accounts.find(workspace_id, [reconnects])
          return yield* new ConnectFailed({
            code: "another_account",
            message:
              `You signed in at ${platformName(platform)} as ${namesOf(found)}, and @${wanted?.username ?? reconnects} was to be reconnected. ` +
              `Nothing was connected. Start again, and sign in with access to @${wanted?.username ?? reconnects}.`,
            redirect_url
          })
        }
        const [first, ...others] = found
        if (first !== undefined && others.length === 0) return yield* connected(connection, [first])
        const offered = found.slice(0, mostOffered)
        const ticket = secret()
        yield* repository.advance({
          id: connection.id,
          step: "choosing",
          ticket_hash: hash(ticket),
          browser_hash: hash(browser),
          secrets: seal(connection, {
            accounts: encodeAccounts(offered),
            fields: unseal(connection)["fields"] ?? {}
          }),
          expires_at: yield* expiry
        })
        return {
          _tag: "choose",
          pending_id: connection.id,
          ticket,
          usernames: offered.map(({ username }) => username),
          redirect_url
        } satisfies Connected
      })

      const chooseAt = Effect.fn("PendingConnections.chooseAt")(function* (
        connection: Connection,
        chosen: ReadonlyArray<number>
      ) {
        const wanted = offeredBy(connection).filter((_, index) => chosen.includes(index))
        if (wanted.length > 0) return yield* connected(connection, wanted)
        yield* repository.end(connection.id)
        return yield* new ConnectFailed({
          code: "none_chosen",
          message: "No account was chosen, so nothing was connected. Start again and choose one.",
          redirect_url: connection.redirect_url
        })
      })

      const find = Effect.fnUntraced(function* (text: string) {
        const id = toPendingConnectionId(text)
        const { workspace_id } = yield* CurrentActor
        const [begun_by, now] = [yield* actingCredential, yield* DateTime.now]
        const found =
          id === undefined
            ? Option.none<Pending>()
            : yield* repository.pending({ id, workspace_id, begun_by, now })
        return Option.isSome(found)
          ? found.value
          : yield* problem(
              "not_found",
              `There is no pending connection ${text}: it has expired 15 minutes after its last step, has failed, or another credential began it. ` +
                "Start again with POST /v1/social-accounts/connect."
            )
      })

      const get = Effect.fn("PendingConnections.get")(function* (
        text: string,
        { q = "" }: PendingConnectionFilter
      ) {
        const pending = yield* find(text)
        const { expires_at, id, login, platform, step, workspace_id } = pending
        const { social_accounts } = yield* CurrentActor
        const offered = step === "choosing" ? offeredBy(pending) : []
        const known = yield* accounts.known(workspace_id, platform, offered)
        return {
          id,
          platform,
          login,
          status: step === "choosing" ? "choosing" : pending.connected === null ? "waiting" : "connected",
          expires_at,
          accounts: offered
            .filter(offerMatches(q))
            .map(({ avatar_url, display_name, remote_id, username }): OfferedAccount => {
              const here = known.get(remote_id)
              const is =
                here !== undefined && here.status !== "disconnected" && sees(here.id, social_accounts)
              return {
                id: remote_id,
                username,
                display_name,
                avatar_url,
                social_account_id: is ? here.id : null
              }
            }),
          social_accounts: (pending.connected ?? []).map((one) => SocialAccountId.make(one))
        } satisfies PendingConnection
      })

      /** The answer to the choice that was made, if it is the same one. */
      const repeated = Effect.fnUntraced(function* (
        { connected, workspace_id }: Pending,
        { accounts: names }: ChooseAccounts
      ) {
        const rows = yield* accounts.find(workspace_id, connected ?? [])
        const same =
          names.every((name) => rows.some(isStoredAs(name))) &&
          rows.every((row) => names.some((name) => isStoredAs(name)(row)))
        if (!same) {
          return yield* problem(
            "nothing_to_choose",
            `The choice was made: ${namesOf(rows)}. Access to the others is deleted; to connect them, start again with POST /v1/social-accounts/connect.`
          )
        }
        const shown = yield* accounts.shown(connected ?? [])
        return { data: (connected ?? []).flatMap((id) => shown.filter((account) => account.id === id)) }
      })

      const choose = Effect.fn("PendingConnections.choose")(function* (text: string, choice: ChooseAccounts) {
        const pending = yield* find(text)
        if (pending.connected !== null) return yield* repeated(pending, choice)
        if (pending.step !== "choosing") {
          return yield* problem(
            "nothing_to_choose",
            `Nobody has signed in at ${platformName(pending.platform)} for this connection yet. Open its authorize_url first.`
          )
        }
        const kept = yield* keep(pending, yield* wantedOf(offeredBy(pending), choice))
        return kept === null ? yield* repeated(yield* find(text), choice) : { data: kept }
      })

      return PendingConnections.of({
        settle,
        chooseAt,
        get,
        choose,
        collect: Effect.flatMap(DateTime.now, repository.collect)
      })
    })
  ).pipe(Layer.provide(ConnectRepository.layer))
}

type Named = Pick<ConnectedAccount, "remote_id" | "username">

const isNamed = (name: string) => {
  const username = name.replace(/^@/, "").toLowerCase()
  return (account: Named) => account.remote_id === name || account.username.toLowerCase() === username
}

/** The same of an account that is stored, under a name that may be cut off. */
const isStoredAs = (name: string) => {
  const [given, cut] = [isNamed(name), isNamed(storedName(name.replace(/^@/, "")))]
  return (account: Named) => given(account) || cut(account)
}

/** A few names of possibly many. */
const namesOf = (found: ReadonlyArray<Pick<Named, "username">>) => {
  const names = found.slice(0, 3).map(({ username }) => `@${username}`)
  return `${names.join(", ")}${found.length > names.length ? ` and ${found.length - names.length} more` : ""}`
}

const wantedOf = (offered: ReadonlyArray<ConnectedAccount>, { accounts: names }: ChooseAccounts) => {
  const meant = names.map((name) => {
    const byId = offered.filter(({ remote_id }) => remote_id === name)
    return byId.length > 0 ? byId : offered.filter(isNamed(name))
  })
  const flaws = meant.flatMap((found, index) =>
    found.length === 1
      ? []
      : [
          {
            path: `accounts[${index}]`,
            code: "account_not_offered",
            message:
              found.length === 0
                ? `The sign-in does not offer ${JSON.stringify(names[index])}; it offers ${namesOf(offered)}.`
                : `The sign-in offers ${found.length} accounts named ${JSON.stringify(names[index])}; give the id of one: ${found.map(({ remote_id }) => remote_id).join(" or ")}.`
          }
        ]
  )
  return flaws.length > 0
    ? problem("account_not_offered", flaws)
    : Effect.succeed(offered.filter((account) => meant.some(([one]) => one === account)))
}

/** Accounts between two steps; stored only in an encrypted column. */
const StoredAccounts = Schema.Array(
  Schema.Struct({
    remote_id: Schema.String,
    former_remote_id: Schema.optionalKey(Schema.String),
    username: Schema.String,
    display_name: Schema.NullOr(Schema.String),
    avatar_url: Schema.NullOr(Schema.String),
    credentials: Schema.RedactedFromValue(Schema.Record(Schema.String, Schema.Json)),
    token_expires_at: Schema.NullOr(Schema.DateTimeUtcFromString),
    access_expires_at: Schema.optionalKey(Schema.DateTimeUtcFromString),
    default_board_id: Schema.optionalKey(Schema.String),
    limits: Schema.optionalKey(AccountLimits),
    scopes: Schema.optionalKey(Schema.Array(Schema.String))
  })
)
const encodeAccounts = (found: ReadonlyArray<ConnectedAccount>): Schema.Json =>
  found.map(({ credentials, token_expires_at, access_expires_at, ...account }) => ({
    ...account,
    credentials: Redacted.value(credentials),
    token_expires_at: token_expires_at === null ? null : DateTime.formatIso(token_expires_at),
    ...(access_expires_at === undefined ? {} : { access_expires_at: DateTime.formatIso(access_expires_at) })
  }))
const decodeAccounts = Schema.decodeUnknownSync(StoredAccounts)

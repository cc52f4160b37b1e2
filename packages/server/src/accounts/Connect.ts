import {
  appsOf,
  type AuditActor,
  type BadRequest,
  type ConnectStarted,
  consentFields,
  CurrentActor,
  PendingConnectionId,
  platformName,
  type PlatformId,
  problem,
  sees,
  type StartConnect
} from "@carillon/domain"
import { Context, Data, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { actingCredential, Audit } from "../audit/Audit.ts"
import type { ConsentFields, OAuthConnect } from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { askedPermissions, readPermissions } from "./AskedPermissions.ts"
import { type Connected, ConnectFailed, deadLink } from "./ConnectOutcome.ts"
import { type Connection, ConnectRepository } from "./ConnectRepository.ts"
import { expiry, hash, makeConnectionSecrets, secret } from "./ConnectTickets.ts"
import { PendingConnections } from "./PendingConnections.ts"
import { SocialAccounts } from "./SocialAccounts.ts"

/** Connecting cannot begin now; the request can be sent again later. */
export class ConnectLater extends Data.TaggedError("ConnectLater")<{
  readonly message: string
  readonly retry_after_seconds: number
}> {}

/** A browser at a step of the flow: its query, and the cookie that only it has. */
interface Visit {
  readonly ticket: string
  readonly browser: string | undefined
  /** The path at which it came back, below `/oauth/callback/`. */
  readonly callback: string
  /** Every `iss` of its query or form. */
  readonly issuers: ReadonlyArray<string>
}

/** What a person reads before they go on to the platform. */
export interface Invited {
  readonly platform: PlatformId
  readonly workspace: string
  readonly inviter: { readonly type: AuditActor["type"]; readonly name: string | null }
  /** The page of the platform, without what makes it this person's. */
  readonly consent_url: string
  readonly redirect_url: string | null
}

/**
 * Connects accounts on the platforms' own consent pages. The link leads to a page that says who asks, and the person goes
 * on from there. Every step works once and ends after a quarter of an hour. Once a browser has gone on, the flow continues
 * only in that browser, so that nobody can slip it a code of their own.
 */
export class Connect extends Context.Service<
  Connect,
  {
    start(request: StartConnect): Effect.Effect<ConnectStarted, BadRequest | ConnectLater, CurrentActor>
    /** Whose link it is. Looking uses nothing up. */
    invitation(ticket: string): Effect.Effect<Invited, ConnectFailed>
    /** The person goes on from there; gives the address to send it to, and its cookie. */
    follow(
      ticket: string
    ): Effect.Effect<
      { readonly url: string; readonly state: string; readonly browser: string },
      ConnectFailed
    >
    /** The platform sends the browser back with a code. */
    complete(visit: Visit & { readonly code: string }): Effect.Effect<Connected, ConnectFailed>
    /** The platform sends the browser back without one. */
    refused(visit: Visit, reason: string): Effect.Effect<never, ConnectFailed>
    /** The person has chosen accounts, by position. */
    choose(visit: Visit, chosen: ReadonlyArray<number>): Effect.Effect<Connected, ConnectFailed>
  }
>()("@carillon/server/accounts/Connect") {
  static readonly layer = Layer.effect(
    Connect,
    Effect.gen(function* () {
      const { publicUrl } = yield* AppConfig
      const platforms = yield* Platforms
      const accounts = yield* SocialAccounts
      const repository = yield* ConnectRepository
      const pending = yield* PendingConnections
      const audit = yield* Audit
      const sql = yield* SqlClient.SqlClient
      const { seal, unseal } = yield* makeConnectionSecrets

      const oauthOf = (platform: PlatformId): OAuthConnect | undefined =>
        Option.getOrUndefined(platforms.get(platform))?.oauth

      const start = Effect.fn("Connect.start")(function* (request: StartConnect) {
        const actor = yield* CurrentActor
        const oauth = oauthOf(request.platform)
        if (oauth === undefined) {
          const [app] = appsOf(request.platform)
          return yield* app === undefined
            ? problem(
                "platform_not_supported",
                `The platform ${request.platform} cannot be connected in the browser here; ` +
                  "use POST /v1/social-accounts for platforms that accept credentials."
              )
            : problem(
                "platform_not_configured",
                `${platformName(request.platform)} needs an app that the operator registers; enter it in the console, or with PUT /v1/platform-apps/${app}. ` +
                  `docs/platforms/${request.platform}.md says where to get it.`
              )
        }
        const login = request.login ?? oauth.logins[0]!
        if (!oauth.logins.includes(login)) {
          return yield* invalid(
            "login",
            `${platformName(request.platform)} accepts the login ${oauth.logins.join(" or ")} here, not ${login}.`
          )
        }
        const reconnects = yield* reconnected(request)
        const again = reconnects === null ? [] : yield* accounts.find(actor.workspace_id, [reconnects])
        const permissions = yield* askedPermissions(request, again)
        const { fields, redirect_uri } = yield* arranged(oauth, request.platform, yield* typedFields(request))
        const id = PendingConnectionId.make(SecureRandom.uuidV7Unsafe())
        const ticket = secret()
        const expires_at = yield* expiry
        yield* repository.insert({
          id,
          workspace_id: actor.workspace_id,
          platform: request.platform,
          login,
          redirect_url: request.redirect_url ?? null,
          secrets:
            Object.keys(fields).length === 0 && permissions.length === 0
              ? null
              : seal({ id }, { fields, permissions }),
          redirect_uri,
          begun_by: yield* actingCredential,
          reconnects,
          offer_others: request.offer_others === true,
          ticket_hash: hash(ticket),
          expires_at
        })
        return { authorize_url: `${publicUrl}/oauth/connect/${ticket}`, expires_at, pending_id: id }
      })

      /** The account that a request is about, of its platform and seen by the credential. */
      const reconnected = Effect.fnUntraced(function* ({
        offer_others,
        platform,
        social_account_id: id
      }: StartConnect) {
        const { social_accounts, workspace_id } = yield* CurrentActor
        if (id === undefined) {
          return offer_others === undefined
            ? null
            : yield* invalid(
                "offer_others",
                "offer_others is for a reconnection: give social_account_id too."
              )
        }
        const [account] = sees(id, social_accounts) ? yield* accounts.find(workspace_id, [id]) : []
        if (account === undefined) {
          return yield* problem("social_account_not_found", [
            {
              path: "social_account_id",
              code: "social_account_not_found",
              message: `There is no social account ${id}.`
            }
          ])
        }
        return account.platform === platform
          ? id
          : yield* invalid(
              "social_account_id",
              `The account ${id} is on ${platformName(account.platform)}, not on ${platformName(platform)}.`
            )
      })

      const arranged = ({ servers }: OAuthConnect, platform: PlatformId, typed: ConsentFields) =>
        servers === undefined
          ? Effect.succeed({ fields: typed, redirect_uri: callbackOf(platform) })
          : Effect.gen(function* () {
              const server = yield* servers.named(typed)
              const redirect_uri = `${callbackOf(platform)}/${idOf(server)}`
              return { fields: yield* servers.arrange(server, redirect_uri), redirect_uri }
            }).pipe(
              Effect.catch(
                Effect.fnUntraced(function* (error) {
                  const { class: errorClass, code, retry_at } = error
                  const message = `${platformName(platform)}: ${error.message}`
                  if (errorClass !== "rate_limited" || retry_at === undefined) {
                    return yield* problem("credentials_rejected", [{ path: "fields", code, message }])
                  }
                  const wait = Duration.toSeconds(DateTime.distance(yield* DateTime.now, retry_at))
                  const retry_after_seconds = Math.max(1, Math.ceil(wait))
                  return yield* new ConnectLater({ message, retry_after_seconds })
                })
              )
            )

      const take = Effect.fnUntraced(function* (
        step: "open" | "started" | "choosing",
        visit: Pick<Visit, "ticket" | "browser">
      ) {
        const ticket = {
          step,
          ticket_hash: hash(visit.ticket),
          browser_hash: step === "open" ? null : hash(visit.browser ?? ""),
          now: yield* DateTime.now
        }
        // The choice ends in the transaction that connects what was chosen.
        const taken = yield* step === "choosing" ? repository.look(ticket) : repository.take(ticket)
        return Option.isSome(taken) ? taken.value : yield* deadLink
      })

      /** The platform of a visit, and the address to which it sends the browser back. */
      const oauthAgain = Effect.fnUntraced(function* ({ platform, redirect_uri, redirect_url }: Connection) {
        const oauth = oauthOf(platform)
        if (oauth === undefined) {
          const message = `This instance is not set up for ${platformName(platform)} any more.`
          return yield* new ConnectFailed({ code: "platform_not_configured", message, redirect_url })
        }
        return { oauth, redirect_uri }
      })

      /** A visit that the browser brings back, if it comes from the server that was asked. Before any request. */
      const takeBack = Effect.fnUntraced(function* (step: "started" | "choosing", visit: Visit) {
        const connection = yield* take(step, visit)
        const { oauth, redirect_uri } = yield* oauthAgain(connection)
        const { platform, redirect_url } = connection
        const issuer = oauth.issuer?.(fieldsOf(connection))
        const isOurs = issuer === undefined || visit.issuers.every((iss) => iss.replace(/\/$/, "") === issuer)
        if (isOurs && `${publicUrl}/oauth/callback/${visit.callback}` === redirect_uri) {
          return { connection, oauth, redirect_uri }
        }
        yield* repository.end(connection.id)
        const server = oauth.servers === undefined || issuer === undefined ? undefined : new URL(issuer).host
        const asked = server ?? platformName(platform)
        yield* audit.record({
          workspace_id: connection.workspace_id,
          actor: connection.begun_by,
          action: "account.refused",
          subject: { type: "account", id: null, name: asked }
        })
        return yield* new ConnectFailed({
          code: "wrong_server",
          message:
            `You were connecting an account at ${asked}, and the answer came from elsewhere. Nothing was connected. ` +
            (server === undefined
              ? "Try again."
              : `${server} may have tried to get at an account that you have on another server. Try again only if you trust it.`),
          redirect_url
        })
      })

      const fieldsOf = (connection: Connection) => decodeFields(unseal(connection)["fields"] ?? {})

      const invitation = Effect.fn("Connect.invitation")(function* (ticket: string) {
        const found = yield* repository.invitation(hash(ticket), yield* DateTime.now)
        if (Option.isNone(found)) return yield* deadLink
        const { begun_by, inviter_name, login, platform, redirect_url, workspace_name } = found.value
        const { oauth, redirect_uri } = yield* oauthAgain(found.value)
        return {
          platform,
          workspace: workspace_name,
          inviter: { type: begun_by.type, name: inviter_name },
          consent_url: oauth.authorizeUrl({
            login,
            redirect_uri,
            state: "",
            code_verifier: "",
            fields: fieldsOf(found.value)
          }),
          redirect_url
        }
      })

      const follow = Effect.fn("Connect.follow")(
        function* (ticket: string) {
          const connection = yield* take("open", { ticket, browser: undefined })
          const { oauth, redirect_uri } = yield* oauthAgain(connection)
          const fields = fieldsOf(connection)
          const [state, browser, code_verifier] = [secret(), secret(), `${secret()}${secret()}`.slice(0, 64)]
          yield* repository.advance({
            id: connection.id,
            step: "started",
            ticket_hash: hash(state),
            browser_hash: hash(browser),
            secrets: seal(connection, { code_verifier, fields }),
            expires_at: yield* expiry
          })
          return {
            url: oauth.authorizeUrl({
              login: connection.login,
              redirect_uri,
              state,
              code_verifier,
              fields,
              permissions: readPermissions(unseal(connection)["permissions"] ?? [])
            }),
            state,
            browser
          }
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const callbackOf = (platform: PlatformId) => `${publicUrl}/oauth/callback/${platform}`

      const complete = Effect.fn("Connect.complete")(function* (visit: Visit & { readonly code: string }) {
        const { connection, oauth, redirect_uri } = yield* takeBack("started", visit)
        const fields = fieldsOf(connection)
        return yield* oauth
          .exchange({
            login: connection.login,
            redirect_uri,
            state: visit.ticket,
            code_verifier: String(unseal(connection)["code_verifier"]),
            fields,
            code: visit.code
          })
          .pipe(
            Effect.mapError(
              ({ code, message }) =>
                new ConnectFailed({
                  code,
                  message: `${platformName(connection.platform)}: ${message}`,
                  redirect_url: connection.redirect_url
                })
            ),
            Effect.flatMap((found) => pending.settle(connection, found, visit.browser ?? "")),
            Effect.tapError(() => repository.end(connection.id))
          )
      })

      const refused = Effect.fn("Connect.refused")(function* (visit: Visit, reason: string) {
        const { connection } = yield* takeBack("started", visit)
        yield* repository.end(connection.id)
        return yield* new ConnectFailed({
          code: reason,
          message:
            reason === "access_denied"
              ? `You did not allow this service on ${platformName(connection.platform)}, so nothing was connected. Start again and allow it there.`
              : `${platformName(connection.platform)} sent the browser back with the error ${reason}. Nothing was connected; try again, or tell the operator.`,
          redirect_url: connection.redirect_url
        })
      })

      const choose = Effect.fn("Connect.choose")(function* (visit: Visit, chosen: ReadonlyArray<number>) {
        const { connection } = yield* takeBack("choosing", visit)
        return yield* pending.chooseAt(connection, chosen)
      })

      return Connect.of({ start, invitation, follow, complete, refused, choose })
    })
  ).pipe(Layer.provide(ConnectRepository.layer))
}

/** What the platform's form asks before consent, and nothing else. */
const typedFields = ({ fields = {}, platform }: StartConnect) => {
  const asked = consentFields(platform)
  const flaws = [
    ...asked
      .filter((name) => fields[name] === undefined)
      .map((name) => ({ name, code: "missing", message: `${platformName(platform)} needs ${name}.` })),
    ...Object.keys(fields)
      .filter((name) => !asked.includes(name))
      .map((name) => ({
        name,
        code: "unknown_field",
        message: `${platformName(platform)} accepts ${asked.length === 0 ? "no fields" : `only ${asked.join(", ")}`}.`
      }))
  ]
  return flaws.length === 0
    ? Effect.succeed<ConsentFields>(fields)
    : problem(
        "invalid_request",
        flaws.map(({ name, ...flaw }) => ({ path: `fields.${name}`, ...flaw }))
      )
}

const invalid = (path: string, message: string) =>
  problem("invalid_request", [{ path, code: "invalid_value", message }])

const decodeFields = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.String))

/** The name of a server in its redirect address. No two servers have the same one. */
const idOf = (server: string) => createHash("sha256").update(server).digest("hex").slice(0, 32)

import {
  type BadRequest,
  type Conflict,
  credentialForms,
  CurrentActor,
  type Forbidden,
  type NotFound,
  type PlatformApp,
  appsOf,
  PlatformAppName,
  platformApps,
  type PlatformAppTest,
  problem,
  type SetPlatformApp,
  type TestPlatformApp
} from "@carillon/domain"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../AppConfig.ts"
import { actingCredential, Audit } from "../audit/Audit.ts"
import { CredentialCipher, owner } from "../crypto/CredentialCipher.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"
import { layerCheckingClient } from "../http/SendGuard.ts"
import { testApp } from "../platforms/AppTest.ts"
import { atItsPlatform, type ConnectedApps, connectedApps, type FoundApp } from "../platforms/ConnectedApp.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { type StoredApp, StoredApps } from "../platforms/StoredApps.ts"
import { isMetered, Spending } from "../platforms/twitter/Spending.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { CredentialRepository } from "./CredentialRepository.ts"
import { isPlayedByCredentials } from "./DemoAccount.ts"
import { DemoAccountRepository } from "./DemoAccountRepository.ts"

/** The operator's apps at the platforms: those that the environment has, and those that are entered here. */
export class PlatformApps extends Context.Service<
  PlatformApps,
  {
    readonly all: Effect.Effect<ReadonlyArray<PlatformApp>, Forbidden, CurrentActor>
    set(
      name: string,
      app: SetPlatformApp
    ): Effect.Effect<PlatformApp, BadRequest | Forbidden | NotFound | Conflict, CurrentActor>
    remove(name: string): Effect.Effect<PlatformAppName, Forbidden | NotFound, CurrentActor>
    test(
      name: string,
      typed: TestPlatformApp
    ): Effect.Effect<PlatformAppTest, Forbidden | NotFound | BadRequest, CurrentActor>
  }
>()("@carillon/server/accounts/PlatformApps") {
  static readonly layer = Layer.effect(
    PlatformApps,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const sql = yield* SqlClient.SqlClient
      const stored = yield* StoredApps
      const platforms = yield* Platforms
      const accounts = yield* CredentialRepository
      const demos = yield* DemoAccountRepository
      const cipher = yield* CredentialCipher
      const queue = yield* TargetQueue
      const audit = yield* Audit
      const wakeup = yield* Wakeup
      const spending = yield* Spending
      const client = yield* HttpClient.HttpClient

      const named = Effect.fnUntraced(function* (name: string) {
        if (!isName(name)) {
          return yield* problem(
            "not_found",
            `There is no app ${JSON.stringify(name.slice(0, 100))}; there are ${PlatformAppName.literals.join(", ")}.`
          )
        }
        return name
      })

      const present = Effect.map(stored.all, (kept) => ({
        kept,
        found: connectedApps(config, Object.fromEntries(kept.map((app) => [app.name, app])))
      }))

      /** The connected accounts whose tokens the app was given. */
      const accountsOf = Effect.fnUntraced(function* (name: PlatformAppName) {
        const platform = platformApps[name].platform
        const connected = yield* accounts.connectedTo(platform)
        return connected.filter(({ remote_id, credentials }) => {
          if (appsOf(platform).length === 1 && !(platform in credentialForms)) return true
          const { login } = cipher.open(owner(platform, remote_id), credentials)
          return login === name
        })
      })

      const redirectUrl = (name: PlatformAppName) =>
        `${config.publicUrl}/oauth/callback/${platformApps[name].platform}`

      const view = Effect.fnUntraced(function* (
        name: PlatformAppName,
        { kept, found }: { readonly kept: ReadonlyArray<StoredApp>; readonly found: ConnectedApps }
      ) {
        const app: FoundApp | undefined = found[name]
        return {
          app: name,
          platform: platformApps[name].platform,
          source: app?.source ?? "none",
          client_id: app === undefined || app.source === "test_network" ? null : app.id,
          stored_at: kept.find((one) => one.name === name)?.stored_at ?? null,
          redirect_url: redirectUrl(name),
          accounts: (yield* accountsOf(name)).length,
          spending: name === "twitter" && isMetered(app) ? yield* spending.figures : null,
          variables: platformApps[name].variables
        } satisfies PlatformApp
      })

      const all = Effect.gen(function* () {
        const apps = yield* present
        return yield* Effect.forEach(PlatformAppName.literals, (name) => view(name, apps))
      }).pipe(Effect.withSpan("PlatformApps.all"))

      /** Changes what is stored. What another app was given does not work with the one that counts from now on. */
      const change = <A>(
        name: PlatformAppName,
        action: "platform_app.set" | "platform_app.removed",
        made: Effect.Effect<Option.Option<A>>
      ) =>
        Effect.gen(function* () {
          yield* stored.lock
          const before = yield* present
          const done = yield* made
          if (Option.isNone(done)) return done
          const after = yield* present
          for (const one of PlatformAppName.literals) {
            if (isSame(before.found[one], after.found[one])) continue
            for (const { id } of yield* accountsOf(one)) {
              yield* queue.accountNeedsReconnect(id, reconnect(one))
            }
          }
          const { platform } = platformApps[name]
          const isPlayed = appsOf(platform).some((one) => after.found[one]?.stand_in === true)
          if (!isPlayedByCredentials(platform)) yield* demos.settle([platform], isPlayed)
          else if (!isPlayed) yield* demos.replace(null, [platform])
          yield* audit.record({
            workspace_id: null,
            actor: yield* actingCredential,
            action,
            subject: { type: "platform_app", id: name, name: platformApps[name].by }
          })
          yield* wakeup.platformApps.notify
          return done
        }).pipe(
          sql.withTransaction,
          Effect.orDie,
          Effect.tap((done) => (Option.isNone(done) ? Effect.void : platforms.reload))
        )

      const set = Effect.fn("PlatformApps.set")(function* (text: string, given: SetPlatformApp) {
        const name = yield* named(text)
        if (Option.isSome(config.apps[name])) {
          return yield* problem(
            "set_by_environment",
            `The app of ${platformApps[name].by} comes from ${platformApps[name].variables.join(" and ")} of the service's environment, which take precedence.`
          )
        }
        yield* checkToken(name, given)
        yield* change(name, "platform_app.set", Effect.asSome(stored.put(name, registered(given))))
        return yield* view(name, yield* present)
      })

      const remove = Effect.fn("PlatformApps.remove")(function* (text: string) {
        const name = yield* named(text)
        const removed = yield* change(
          name,
          "platform_app.removed",
          Effect.map(stored.remove(name), (was) => (was ? Option.some(name) : Option.none()))
        )
        return yield* Effect.fromOption(removed).pipe(
          Effect.mapError(() => problem("not_found", `No app of ${platformApps[name].by} is stored here.`))
        )
      })

      const test = Effect.fn("PlatformApps.test")(function* (text: string, typed: TestPlatformApp) {
        const name = yield* named(text)
        const { bot_token, client_id, client_secret } = typed
        const own = (yield* present).found[name]
        const app =
          client_id !== undefined && client_secret !== undefined
            ? atItsPlatform(
                config,
                name,
                registered({ client_id, client_secret, ...(bot_token === undefined ? {} : { bot_token }) })
              )
            : client_id === undefined && client_secret === undefined && own?.source !== "test_network"
              ? own
              : undefined
        if (app === undefined) {
          const given = client_id !== undefined || client_secret !== undefined
          return yield* problem("invalid_request", [
            {
              path: client_id === undefined ? "client_id" : "client_secret",
              code: "missing",
              message: given
                ? "An id and its secret are tested together; give both, or neither."
                : `There is no app of ${platformApps[name].by} yet; give the id and the secret to test.`
            }
          ])
        }
        if (client_id !== undefined) yield* checkToken(name, typed)
        const { metaGraphVersion } = config
        return yield* testApp(client, name, app, { redirect_uri: redirectUrl(name), metaGraphVersion }).pipe(
          Effect.map((result) => ({ result, message: sentence(platformApps[name], result) })),
          Effect.catchTag("PublishError", ({ message }) =>
            Effect.succeed({ result: "unreachable" as const, message })
          )
        )
      })

      return PlatformApps.of({ all, set, remove, test })
    })
  ).pipe(
    Layer.provide([
      StoredApps.layer,
      CredentialRepository.layer,
      DemoAccountRepository.layer,
      Audit.layer,
      layerCheckingClient
    ])
  )
}

const isName = Schema.is(PlatformAppName)

/** The token of a bot belongs to an app that has one. */
const checkToken = (name: PlatformAppName, { bot_token }: Pick<SetPlatformApp, "bot_token">) => {
  const { botToken, by } = platformApps[name]
  const isWanted = botToken !== undefined
  if (isWanted === (bot_token !== undefined)) return Effect.void
  return problem("invalid_request", [
    {
      path: "bot_token",
      ...(isWanted
        ? { code: "missing", message: `The app of ${by} has a bot; give its token too.` }
        : { code: "unknown_field", message: `The app of ${by} has no bot; leave bot_token out.` })
    }
  ])
}

const registered = ({ bot_token, client_id, client_secret }: SetPlatformApp) => ({
  id: client_id.trim(),
  secret: Redacted.make(client_secret.trim()),
  ...(bot_token === undefined ? {} : { bot_token: Redacted.make(bot_token.trim()) })
})

/** A new secret of the same app keeps what it was given. */
const isSame = (one: FoundApp | undefined, other: FoundApp | undefined) =>
  one?.id === other?.id && (one?.source === "test_network") === (other?.source === "test_network")

const reconnect = (name: PlatformAppName) =>
  `The app of this service at ${platformApps[name].by} was replaced, and the account had authorized the previous one. Connect the account again.`

const sentence = (
  { botToken, by: platform }: (typeof platformApps)[PlatformAppName],
  result: PlatformAppTest["result"]
): string => {
  switch (result) {
    case "accepted":
      return `${platform} recognizes the app and accepts its secret. Connect an account to see whether the redirect address is entered there and the app may publish.`
    case "wrong_id":
      return `${platform} does not recognize this id. Copy it again.`
    case "wrong_secret":
      return `${platform} recognizes the id, but the secret is wrong. Copy it again, or create a new one there.`
    case "refused":
      return botToken === undefined
        ? `${platform} does not accept them: the id or the secret is wrong, and it does not say which. Copy both again.`
        : `${platform} does not accept them: the id, the secret or the bot token is wrong, or they are of different apps. Copy all again.`
    case "unclear":
      return `${platform} gave an unclear answer. Connect an account to see whether the app works.`
    case "unreachable":
      return `${platform} could not be reached.`
  }
}

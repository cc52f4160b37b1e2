import { truncate } from "@carillon/domain"
import { Effect, Option, Redacted, Schema } from "effect"
import { type ConnectedAccount, type GrantedAccess, type Platform, PublishError } from "../Platform.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import type { TestNetwork } from "../TestNetwork.ts"
import { localDomain } from "./LocalDomain.ts"
import type { MastodonApps } from "./MastodonApps.ts"
import { refuseMastodon } from "./MastodonErrors.ts"
import {
  honoursKey,
  instanceBytes,
  limitsOf,
  MastodonCredentials,
  type Reached,
  readInstance,
  RemoteId,
  serverOf
} from "./MastodonServer.ts"
import { mastodonSignIn, notConnected } from "./MastodonSignIn.ts"

export interface MastodonHosts {
  /** Whether servers without TLS are called. */
  readonly allow_http: boolean
  readonly test_network?: TestNetwork
  /** The store of this service's apps. */
  readonly apps: Pick<MastodonApps["Service"], "obtain" | "admit">
  /** The address of this service, which its app shows to people. */
  readonly website: string
}

/** For accounts whose server honours the key. */
export const keyed = "mastodon/"

const decodeSignIn = Schema.decodeUnknownOption(
  Schema.Struct({ server: Schema.String, access_token: Schema.String })
)
const decodeStored = decodeCredentials(MastodonCredentials, "Mastodon")

const nullable = Schema.optionalKey(Schema.NullOr(Schema.String))
const Account = Schema.Struct({
  id: RemoteId,
  username: Schema.String,
  display_name: nullable,
  avatar: nullable
})

/** Connecting an account, on its server's own page or with a token that a person made there, and what the server says then. */
export const mastodonConnect = (
  reach: (server: string) => Reached,
  { allow_http, apps, test_network, website }: MastodonHosts
): Required<Pick<Platform, "connect" | "oauth" | "revocation" | "limits">> => {
  const signIn = mastodonSignIn(reach, apps, website)

  const serverNamed = (typed: string) => {
    const server = serverOf(typed, { allow_http, has_test_network: test_network !== undefined })
    return server === undefined
      ? rejected(
          `"${typed.slice(0, 100)}" is not a server. Give its name, such as mastodon.social, without a path.`
        )
      : Effect.succeed(server)
  }

  /** The account of a token, and the facts that its server reports. */
  const accountOf = Effect.fnUntraced(function* (
    access: Pick<MastodonCredentials, "server" | "access_token" | "client">
  ) {
    const { server } = access
    const { base, call } = reach(server)
    const account = yield* call({
      method: "GET",
      url: `${base}/api/v1/accounts/verify_credentials`,
      bearer: access.access_token,
      maxAnswerBytes: instanceBytes,
      answer: Account,
      refuse: refuseMastodon
    }).pipe(
      Effect.mapError(notConnected(server)),
      Effect.mapError((error) => (error.class === "reconnect" ? rejected(error.message) : error))
    )
    const facts = yield* readInstance(reach(server)).pipe(Effect.mapError(notConnected(server)))
    const username = shownName(account.username)
    const domain = yield* localDomain(reach, server, facts.domain ?? facts.uri ?? "", username)
    const { host } = new URL(server)
    const local = `${host}/${account.id}`
    const unkeyed = `compatible/${local}`
    return {
      // Mastodon shows since 4.3 that it honours the key; an account from before keeps its id, and its posts are looked up.
      // The other way round it is a new account: posts of one that is stored as keyed are repeated.
      ...(honoursKey(facts)
        ? { remote_id: keyed + local, former_remote_id: unkeyed }
        : { remote_id: unkeyed }),
      username: `${username}@${domain}`,
      display_name: account.display_name || null,
      avatar_url: account.avatar ?? null,
      credentials: Redacted.make({
        ...access,
        account_id: account.id
      }),
      limits: limitsOf(facts),
      token_expires_at: null
    } satisfies ConnectedAccount
  })

  return {
    connect: Effect.fn("Mastodon.connect")(function* (input) {
      const typed = Option.getOrUndefined(decodeSignIn(input))
      const access_token = typed?.access_token.trim() ?? ""
      if (typed === undefined || !/^[\x21-\x7e]{1,500}$/.test(access_token))
        return yield* rejected(signInMissing)
      const server = yield* serverNamed(typed.server)
      return yield* accountOf({ server, access_token })
    }),

    oauth: {
      logins: ["mastodon"],
      servers: { named: ({ server = "" }) => serverNamed(server), arrange: signIn.arrange },
      issuer: signIn.issuer,
      authorizeUrl: signIn.authorizeUrl,
      exchange: Effect.fn("Mastodon.exchange")(function* (consent) {
        return [yield* accountOf(yield* signIn.exchange(consent))]
      })
    },

    revocation: {
      // Each consent has a token of its own.
      shared: (one, other) => tokenOf(one) === tokenOf(other),
      revoke: Effect.fn("Mastodon.revoke")(function* (stored) {
        const { access_token, client, server } = yield* decodeStored(stored)
        if (client === undefined) return "not_offered"
        yield* signIn.revoke(server, client, access_token)
        return "revoked"
      })
    },

    limits: (stored) =>
      decodeStored(stored).pipe(
        Effect.flatMap(({ server }) => readInstance(reach(server))),
        Effect.map(limitsOf)
      )
  }
}

const tokenOf = ({ credentials }: GrantedAccess) => Redacted.value(credentials)["access_token"]

/** Mastodon's names have 30 characters. A stranger's must not look as if it went on with another server, or push its own out of sight. */
const shownName = (given: string) => truncate(given.replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, "_"), 40)

const signInMissing =
  'Mastodon needs a "server", such as mastodon.social, and an "access_token", which your server shows under Preferences, Development.'

const rejected = (message: string) =>
  new PublishError({ class: "reconnect", code: "credentials_rejected", message })

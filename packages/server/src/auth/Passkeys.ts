import { mostPasskeys } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { isIP } from "node:net"
import { AppConfig } from "../AppConfig.ts"
import { Audit } from "../audit/Audit.ts"
import { Secrets } from "../crypto/Secrets.ts"
import { Throttle } from "../http/Throttle.ts"
import type { Member } from "./MemberRepository.ts"
import { PasskeyRepository, type StoredPasskey } from "./PasskeyRepository.ts"
import { ticketFor, ticketNonce } from "./Ticket.ts"

/** The reason, for the person. */
export class PasskeyRefused extends Schema.TaggedError<PasskeyRefused>()("PasskeyRefused", {
  message: Schema.String
}) {}

/** As the standard sends it to programs. */
type Options = Readonly<Record<string, Schema.Json>>

/**
 * Keys in a member's devices, each of which signs in by itself. A `holder` is the browser, or its session, that asked: a challenge is
 * good for nobody else.
 */
export class Passkeys extends Context.Service<
  Passkeys,
  {
    /** Why there can be none at this PUBLIC_URL. */
    readonly unavailable: string | null
    /** Whether anybody has one that works here. */
    readonly areUsed: Effect.Effect<boolean>
    list(member: Member): Effect.Effect<ReadonlyArray<StoredPasskey & { readonly works_here: boolean }>>
    /** For the browser to make one. */
    creation(member: Member, holder: string): Effect.Effect<Options>
    /** For the browser to sign with one that it has. */
    request(holder: string): Effect.Effect<Options>
    add(
      member: Member,
      holder: string,
      passkey: { readonly name: string; readonly credential: string }
    ): Effect.Effect<StoredPasskey, PasskeyRefused>
    /** The id of the member whose passkey answered the challenge: of this one, if it is given. */
    answered(holder: string, credential: string, member?: Member): Effect.Effect<string, PasskeyRefused>
    /** None: the member has no such one. */
    remove(member: Member, id: string): Effect.Effect<Option.Option<{ readonly id: string }>>
    removeAll(memberId: string): Effect.Effect<void>
  }
>()("@carillon/server/auth/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* PasskeyRepository
      const audit = yield* Audit
      const throttle = yield* Throttle
      const { publicUrl } = yield* AppConfig
      const key = (yield* Secrets).key("passkey challenges")
      const { hostname: rpID, origin } = new URL(publicUrl)
      const unavailable = unavailableAt(publicUrl)

      const stranded = (yield* repository.hosts).filter(({ rp_id }) => unavailable !== null || rp_id !== rpID)
      for (const { count, rp_id } of stranded) {
        yield* Effect.logWarning(
          `${count === 1 ? "1 passkey" : `${count} passkeys`} of ${rp_id} cannot be used with PUBLIC_URL=${publicUrl}. Their members sign in with the password, and can add new ones there.`
        )
      }

      const challenge = (holder: string) =>
        Effect.map(DateTime.now, (now) => ticketFor(key, holder, now, challengeLasts))

      /** An answer that nobody gave before, and its time. */
      const verified = Effect.fnUntraced(function* <A extends { readonly verified: boolean }>(
        holder: string,
        verify: (webauthn: WebAuthn, rules: Rules) => Promise<A>
      ) {
        const now = yield* DateTime.now
        const nonces: Array<string> = []
        const expectedChallenge = (given: string) => {
          const nonce = ticketNonce(key, holder, Buffer.from(given, "base64url").toString(), now)
          if (Option.isSome(nonce)) nonces.push(nonce.value)
          return Option.isSome(nonce)
        }
        const answer = yield* Effect.tryPromise(async () =>
          verify(await webAuthn(), {
            expectedChallenge,
            expectedOrigin: origin,
            expectedRPID: rpID,
            requireUserVerification: true
          })
        ).pipe(
          Effect.tapError(({ cause }) => Effect.logDebug("a passkey was refused", { reason: String(cause) })),
          Effect.mapError(() => notVerified)
        )
        const [nonce] = nonces
        if (!answer.verified || nonce === undefined) return yield* notVerified
        // After the signature, so that what strangers make up stores nothing.
        yield* throttle
          .take({ bucket: `passkey-challenge:${nonce}`, most: 1, within: challengeLasts })
          .pipe(Effect.mapError(() => notVerified))
        return { answer, now }
      })

      const told = (action: "passkey.created" | "passkey.deleted", member: Member, passkey: Named) =>
        audit.record({
          workspace_id: null,
          actor: { type: "member", id: member.id, name: member.name },
          action,
          subject: { type: "passkey", id: passkey.id, name: passkey.name }
        })

      return Passkeys.of({
        unavailable,
        areUsed: Effect.map(
          repository.hosts,
          (hosts) => unavailable === null && hosts.some(({ rp_id }) => rp_id === rpID)
        ),
        list: ({ id }) =>
          Effect.map(repository.of(id), (all) =>
            all.map((one) => ({ ...one, works_here: unavailable === null && one.rp_id === rpID }))
          ),
        creation: Effect.fnUntraced(function* ({ id, name }, holder) {
          const own = yield* repository.of(id)
          const { generateRegistrationOptions } = yield* Effect.promise(webAuthn)
          const text = yield* challenge(holder)
          const options = yield* Effect.promise(() =>
            generateRegistrationOptions({
              rpName: "Carillon",
              rpID,
              userName: name,
              userDisplayName: name,
              userID: new TextEncoder().encode(id),
              challenge: text,
              timeout,
              supportedAlgorithmIDs: algorithms,
              excludeCredentials: own.map((one) => ({
                id: one.credential_id,
                transports: [...one.transports]
              })),
              authenticatorSelection: { residentKey: "required", userVerification: "required" }
            })
          )
          return plain(options)
        }),
        request: Effect.fnUntraced(function* (holder) {
          const { generateAuthenticationOptions } = yield* Effect.promise(webAuthn)
          const text = yield* challenge(holder)
          return plain(
            yield* Effect.promise(() =>
              generateAuthenticationOptions({ rpID, challenge: text, timeout, userVerification: "required" })
            )
          )
        }),
        add: Effect.fn("Passkeys.add")(function* (member, holder, { credential, name }) {
          if (unavailable !== null) return yield* new PasskeyRefused({ message: unavailable })
          const response = yield* Effect.mapError(decodeRegistration(credential), () => notVerified)
          const { transports } = response.response
          const { answer, now } = yield* verified(holder, ({ verifyRegistrationResponse }, rules) =>
            verifyRegistrationResponse({
              ...rules,
              supportedAlgorithmIDs: algorithms,
              response: { ...response, response: { ...response.response, transports: [...transports] } }
            })
          )
          const { registrationInfo } = answer
          if (registrationInfo === undefined) return yield* notVerified
          if ((yield* repository.of(member.id)).length >= mostPasskeys)
            return yield* new PasskeyRefused({
              message: `There are ${mostPasskeys} passkeys already. Remove one first.`
            })
          const { counter, id, publicKey } = registrationInfo.credential
          const passkey: StoredPasskey = {
            id: SecureRandom.uuidV7Unsafe(),
            member_id: member.id,
            credential_id: id,
            public_key: publicKey,
            sign_count: counter,
            transports,
            name,
            rp_id: rpID,
            created_at: now,
            last_used_at: null
          }
          return yield* Effect.gen(function* () {
            if (Option.isNone(yield* repository.insert(passkey)))
              return yield* new PasskeyRefused({ message: "This passkey is known already." })
            yield* told("passkey.created", member, passkey)
            return passkey
          }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
        }),
        answered: Effect.fn("Passkeys.answered")(function* (holder, credential, member) {
          const response = yield* Effect.mapError(decodeAuthentication(credential), () => notVerified)
          const found = yield* repository.byCredential(response.id, rpID)
          const user = Buffer.from(response.response.userHandle, "base64url").toString()
          if (Option.isNone(found) || user !== found.value.member_id) return yield* notVerified
          const passkey = found.value
          if (member !== undefined && user !== member.id) return yield* notVerified
          const { answer, now } = yield* verified(holder, ({ verifyAuthenticationResponse }, rules) =>
            verifyAuthenticationResponse({
              response,
              ...rules,
              credential: {
                id: passkey.credential_id,
                publicKey: Uint8Array.from(passkey.public_key),
                counter: passkey.sign_count
              }
            })
          )
          const used = yield* repository.used(passkey.id, answer.authenticationInfo.newCounter, now)
          return Option.isSome(used) ? passkey.member_id : yield* notVerified
        }),
        remove: (member, id) =>
          Effect.tap(
            repository.remove(member.id, id),
            Option.match({
              onNone: () => Effect.void,
              onSome: (passkey) => told("passkey.deleted", member, passkey)
            })
          ).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die)),
        removeAll: repository.removeAll
      })
    })
  ).pipe(Layer.provide(PasskeyRepository.layer), Layer.provideMerge(Throttle.layer))
}

interface Named {
  readonly id: string
  readonly name: string
}

type WebAuthn = typeof import("@simplewebauthn/server")

interface Rules {
  readonly expectedChallenge: (challenge: string) => boolean
  readonly expectedOrigin: string
  readonly expectedRPID: string
  readonly requireUserVerification: true
}

/** It takes half a second to load. */
const webAuthn = (): Promise<WebAuthn> => import("@simplewebauthn/server")

/** EdDSA, ES256 and RS256, as COSE numbers them: every device has one of them, and Node all three. */
const algorithms = [-8, -7, -257]

const challengeLasts = { minutes: 5 } as const
const timeout = 5 * 60_000

const notVerified = new PasskeyRefused({
  message:
    "The passkey was not accepted. It may have been removed, or the answer took more than five minutes. Try again."
})

/** A passkey belongs to a name, and browsers make none where others could read along. */
const unavailableAt = (publicUrl: string): string | null => {
  const { hostname, protocol } = new URL(publicUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0)
    return `Passkeys need an address with a name, and PUBLIC_URL is ${publicUrl}.`
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost")
  return protocol === "https:" || isLocal ? null : `Passkeys need https, and PUBLIC_URL is ${publicUrl}.`
}

/** What a program reads of it: without fields that are undefined. */
const plain = (options: object): Options => JSON.parse(JSON.stringify(options))

const Bytes = Schema.String.check(Schema.isPattern(/^[\w-]{1,10000}$/))
const answer = {
  id: Bytes,
  rawId: Bytes,
  type: Schema.Literal("public-key"),
  clientExtensionResults: Schema.Struct({})
}

const Registration = Schema.Struct({
  ...answer,
  response: Schema.Struct({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: Schema.Array(Schema.String.check(Schema.isMaxLength(30))).check(Schema.isMaxLength(10))
  })
})

const Authentication = Schema.Struct({
  ...answer,
  response: Schema.Struct({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Bytes
  })
})

const decodeRegistration = Schema.decodeUnknownEffect(Schema.fromJsonString(Registration))
const decodeAuthentication = Schema.decodeUnknownEffect(Schema.fromJsonString(Authentication))

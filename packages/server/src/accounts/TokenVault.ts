import { noticeDays } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Option, Random, Schedule } from "effect"
import { makeKeyedLock } from "../KeyedLock.ts"
import { type Credentials, type Platform, PublishError } from "../platforms/Platform.ts"
import { CredentialCipher, owner } from "../crypto/CredentialCipher.ts"
import { withSealedHandles } from "./SealedHandles.ts"
import { CredentialRepository } from "./CredentialRepository.ts"
import { nextRefresh, tokenTimes } from "./TokenTimes.ts"

export interface VaultAccount {
  readonly id: number
  readonly remote_id: string
}

/** Runs one call after the other with the account's credentials. */
export type WithCredentials = <A>(
  call: (credentials: Credentials) => Effect.Effect<A, PublishError>
) => Effect.Effect<A, PublishError>

const hasExpired = ({ token_expired }: PublishError) => token_expired === true

/** How long one process may take to renew an account's tokens before another one may try. */
const refreshLease = Duration.seconds(60)

/** How many accounts' credentials stay decrypted at most. */
const rememberedAccounts = 4096

/**
 * Runs a call with an account's credentials, and renews them when the platform says that they have expired.
 * One process renews an account at a time: platforms that rotate tokens drop the loser of a race.
 */
export class TokenVault extends Context.Service<
  TokenVault,
  {
    use<A>(
      platform: Platform,
      account: VaultAccount,
      call: (credentials: Credentials) => Effect.Effect<A, PublishError>
    ): Effect.Effect<A, PublishError>
    /** The same for several calls, with the ciphertext as it was read with the account; null once disconnected. */
    open(platform: Platform, account: VaultAccount, ciphertext: Uint8Array | null): WithCredentials
    /** Renews tokens ahead of their end. */
    renew(platform: Platform, account: VaultAccount): Effect.Effect<void, PublishError>
    /** The platform with handles that may be stored: their secret fields are encrypted. */
    sealing(platform: Platform): Platform
    /** Encrypts under the present secret everything that is still under a former one; gives the number. */
    readonly reencrypt: Effect.Effect<number>
    /** Drops what is decrypted in memory; to be done every minute. */
    readonly forget: Effect.Effect<void>
  }
>()("@carillon/server/accounts/TokenVault") {
  static readonly layer = Layer.effect(
    TokenVault,
    Effect.gen(function* () {
      const repository = yield* CredentialRepository
      const cipher = yield* CredentialCipher
      // Within this process the database need not be asked who renews.
      const oneRefresh = yield* makeKeyedLock<number>()

      const stored = Effect.fnUntraced(function* (account: VaultAccount) {
        const bytes = yield* repository.credentials(account.id)
        if (bytes !== null) return bytes
        return yield* notConnected
      })

      const refresh = Effect.fnUntraced(function* (
        platform: Platform,
        account: VaultAccount,
        bound: string,
        before: Uint8Array,
        failures: number
      ) {
        const renewed = yield* platform.refresh(cipher.decrypt(bound, before)).pipe(
          Effect.tapError((failure) =>
            Effect.gen(function* () {
              const at = nextRefresh(yield* DateTime.now, failures, yield* Random.next)
              yield* repository.releaseRefresh(account.id, before, failure.class === "reconnect" ? null : at)
            })
          )
        )
        const after = cipher.encrypt(bound, renewed.credentials)
        const { access_expires_at } = renewed
        const now = yield* DateTime.now
        const times = {
          ...tokenTimes(now, renewed.token_expires_at, yield* Random.next),
          ...(access_expires_at === undefined ? {} : { access_expires_at })
        }
        // The old tokens may be dead by now: a short outage of the database must not cost the connection.
        yield* repository
          .replaceCredentials(account.id, before, after, times, DateTime.add(now, { days: noticeDays[0] }))
          .pipe(Effect.retry({ schedule: Schedule.spaced("1 second"), times: 120 }), Effect.orDie)
        return renewed.credentials
      }, Effect.uninterruptible)

      /** The tokens that follow these: renewed here, or by the process that holds the right to. */
      const successor = Effect.fn("TokenVault.refresh")(function* (
        platform: Platform,
        account: VaultAccount,
        before: Uint8Array
      ) {
        const bound = owner(platform.id, account.remote_id)
        const attempt = Effect.gen(function* () {
          const present = yield* stored(account)
          if (!Buffer.from(present).equals(before)) return Option.some(cipher.decrypt(bound, present))
          const now = yield* DateTime.now
          const until = DateTime.addDuration(now, refreshLease)
          const failures = yield* repository.leaseRefresh(account.id, before, now, until)
          return Option.isNone(failures)
            ? Option.none()
            : Option.some(yield* refresh(platform, account, bound, before, failures.value))
        })
        return yield* attempt.pipe(
          Effect.flatMap(Effect.fromOption),
          Effect.retry({
            schedule: Schedule.spaced("250 millis"),
            times: Duration.toMillis(refreshLease) / 250,
            while: (failure) => failure._tag === "NoSuchElementError"
          }),
          Effect.catchTag("NoSuchElementError", () => refreshStuck)
        )
      })

      // In a backlog an account's posts follow each other, and decrypting is a twelfth of each one's cost.
      const remembered = new Map<
        number,
        { readonly ciphertext: Uint8Array; readonly credentials: Credentials }
      >()
      const decrypt = (platform: Platform, { id, remote_id }: VaultAccount, ciphertext: Uint8Array) => {
        const known = remembered.get(id)
        if (known !== undefined && Buffer.compare(known.ciphertext, ciphertext) === 0)
          return known.credentials
        const credentials = cipher.decrypt(owner(platform.id, remote_id), ciphertext)
        if (remembered.size >= rememberedAccounts) remembered.clear()
        // A copy: the driver's bytes may be part of everything that it has received.
        remembered.set(id, { ciphertext: ciphertext.slice(), credentials })
        return credentials
      }

      const open = (
        platform: Platform,
        account: VaultAccount,
        ciphertext: Uint8Array | null
      ): WithCredentials => {
        let opened: Credentials | undefined
        const decrypted = Effect.suspend(() => {
          if (ciphertext === null) return notConnected
          return Effect.succeed((opened ??= decrypt(platform, account, ciphertext)))
        })
        const renewed = Effect.suspend(() =>
          (ciphertext === null ? notConnected : successor(platform, account, ciphertext)).pipe(
            oneRefresh(account.id),
            Effect.tap((credentials) => Effect.sync(() => (opened = credentials)))
          )
        )
        return (call) =>
          Effect.catchIf(Effect.flatMap(decrypted, call), hasExpired, () => Effect.flatMap(renewed, call))
      }

      const use: TokenVault["Service"]["use"] = (platform, account, call) =>
        Effect.flatMap(stored(account), (ciphertext) => open(platform, account, ciphertext)(call))

      const renew = Effect.fn("TokenVault.renew")(function* (platform: Platform, account: VaultAccount) {
        yield* successor(platform, account, yield* stored(account)).pipe(oneRefresh(account.id))
      })

      const reencrypt = Effect.gen(function* () {
        let count = 0
        let after = 0
        while (true) {
          const rows = yield* repository.holdingCredentials(null, after, 100)
          for (const { id, platform, remote_id, credentials } of rows) {
            const renewed = cipher.renewed(owner(platform, remote_id), credentials)
            if (Option.isNone(renewed)) continue
            yield* repository.reencrypt(id, credentials, renewed.value)
            count += 1
          }
          if (rows.length < 100) return count
          after = rows.at(-1)!.id
        }
      })

      return TokenVault.of({
        use,
        open,
        renew,
        sealing: (platform) => withSealedHandles(cipher, platform),
        reencrypt,
        forget: Effect.sync(() => remembered.clear())
      })
    })
  ).pipe(Layer.provide(CredentialRepository.layer))
}

const notConnected = new PublishError({
  class: "reconnect",
  code: "account_disconnected",
  message: "The account is no longer connected; connect it again."
})

const refreshStuck = new PublishError({
  class: "transient",
  code: "refresh_in_progress",
  message:
    "The account's access is being renewed by another process that does not finish. It will be tried again."
})

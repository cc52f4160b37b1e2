import { Context, Effect, Layer } from "effect"
import { makeKeyedLock } from "../KeyedLock.ts"
import { type Credentials, type Platform, PublishError } from "../platforms/Platform.ts"
import { CredentialCipher } from "./CredentialCipher.ts"
import { SocialAccountRepository } from "./SocialAccountRepository.ts"
import { owner } from "./SocialAccounts.ts"

export interface VaultAccount {
  readonly id: number
  readonly remote_id: string
}

/** Lends an account's credentials to one call, and refreshes them when the platform says that they have run out. */
export class TokenVault extends Context.Service<
  TokenVault,
  {
    use<A>(
      platform: Platform,
      account: VaultAccount,
      call: (credentials: Credentials) => Effect.Effect<A, PublishError>
    ): Effect.Effect<A, PublishError>
  }
>()("@carillon/server/accounts/TokenVault") {
  static readonly layer = Layer.effect(
    TokenVault,
    Effect.gen(function* () {
      const repository = yield* SocialAccountRepository
      const cipher = yield* CredentialCipher
      // One refresh of an account at a time: platforms that rotate tokens drop the loser of a race.
      const oneRefresh = yield* makeKeyedLock<number>()

      const stored = Effect.fnUntraced(function* (account: VaultAccount) {
        const bytes = yield* repository.credentials(account.id)
        if (bytes !== null) return bytes
        return yield* new PublishError({
          class: "reconnect",
          code: "account_disconnected",
          message: "The account is not connected any more; connect it again."
        })
      })

      const use = Effect.fn("TokenVault.use")(function* <A>(
        platform: Platform,
        account: VaultAccount,
        call: (credentials: Credentials) => Effect.Effect<A, PublishError>
      ) {
        const bound = owner(platform.id, account.remote_id)
        const before = yield* stored(account)

        const refreshed = Effect.gen(function* () {
          const now = yield* stored(account)
          if (!Buffer.from(now).equals(before)) return cipher.decrypt(bound, now)
          const renewed = yield* platform.refresh(cipher.decrypt(bound, now))
          const after = cipher.encrypt(bound, renewed.credentials)
          yield* repository.replaceCredentials(account.id, now, after, renewed.token_expires_at)
          return renewed.credentials
        }).pipe(oneRefresh(account.id), Effect.uninterruptible)

        return yield* call(cipher.decrypt(bound, before)).pipe(
          Effect.catchIf(
            (failure) => failure.token_expired === true,
            () => Effect.flatMap(refreshed, call)
          )
        )
      })

      return TokenVault.of({ use })
    })
  ).pipe(Layer.provide(SocialAccountRepository.layer))
}

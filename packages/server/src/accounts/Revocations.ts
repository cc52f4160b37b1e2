import { platformRules } from "@carillon/domain"
import { Context, Duration, Effect, FiberSet, Layer, Option } from "effect"
import type { GrantedAccess } from "../platforms/Platform.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { CredentialCipher, owner } from "../crypto/CredentialCipher.ts"
import { type HeldCredentials, CredentialRepository } from "./CredentialRepository.ts"

const patience = Duration.seconds(30)
const page = 100

const tookTooLong = { message: "It gave no answer in time." }

/** Tells platforms that accounts have been disconnected. A failure is logged and not retried. */
export class Revocations extends Context.Service<
  Revocations,
  {
    /**
     * Revokes the access in the background, unless that would end the access of an account that is still connected here.
     * The account's row must not hold the credentials any more.
     */
    begin(access: HeldCredentials): Effect.Effect<void>
  }
>()("@carillon/server/accounts/Revocations") {
  static readonly layer = Layer.effect(
    Revocations,
    Effect.gen(function* () {
      const platforms = yield* Platforms
      const cipher = yield* CredentialCipher
      const repository = yield* CredentialRepository
      const running = yield* FiberSet.make<void>()

      const opened = ({ platform, remote_id, credentials }: HeldCredentials): GrantedAccess => ({
        platform,
        remote_id,
        credentials: cipher.decrypt(owner(platform, remote_id), credentials)
      })

      const revoke = Effect.fn("Revocations.revoke")(function* (access: HeldCredentials) {
        const { id, platform } = access
        const revocation = Option.getOrUndefined(platforms.get(platform))?.revocation
        if (revocation === undefined) return
        const mine = opened(access)
        for (const one of [platform, ...(revocation.beside ?? [])]) {
          let after = 0
          while (true) {
            const others = yield* repository.holdingCredentials(one, after, page)
            const sharing = others.find((other) => revocation.shared(mine, opened(other)))
            if (sharing !== undefined) {
              return yield* Effect.logInfo(
                `the account ${id} keeps its access at ${platformRules[platform].name}, because the account ${sharing.id} uses the same`
              )
            }
            if (others.length < page) break
            after = others.at(-1)!.id
          }
        }
        if ((yield* revocation.revoke(mine.credentials)) === "revoked") {
          yield* Effect.logInfo(`${platformRules[platform].name} has ended the access of the account ${id}`)
        }
      })

      const begin = (access: HeldCredentials) => {
        const words = `${platformRules[access.platform].name} was not told that the account ${access.id} is disconnected`
        return revoke(access).pipe(
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(tookTooLong) }),
          Effect.catch(({ message }) => Effect.logWarning(`${words}. ${message}`)),
          Effect.catchDefect((defect) => Effect.logError(words, defect)),
          FiberSet.run(running),
          Effect.asVoid
        )
      }

      return Revocations.of({ begin })
    })
  ).pipe(Layer.provide(CredentialRepository.layer))
}

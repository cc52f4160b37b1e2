import { grantedPermissions, type PlatformId, type SocialAccount, SocialAccountId } from "@carillon/domain"
import { Context, Effect, Layer, Option } from "effect"
import { CredentialCipher, owner } from "../crypto/CredentialCipher.ts"
import { SignedUrls } from "../media/files/SignedUrls.ts"
import { Platforms } from "../platforms/Platforms.ts"
import { isTestServer } from "../platforms/TestNetwork.ts"
import { type SocialAccountRow, SocialAccountRepository } from "./SocialAccountRepository.ts"

/** Accounts as the API shows them. */
export class SocialAccountView extends Context.Service<
  SocialAccountView,
  {
    one(row: SocialAccountRow): Effect.Effect<SocialAccount>
    all(rows: ReadonlyArray<SocialAccountRow>): Effect.Effect<ReadonlyArray<SocialAccount>>
  }
>()("@carillon/server/accounts/SocialAccountView") {
  static readonly layer = Layer.effect(
    SocialAccountView,
    Effect.gen(function* () {
      const urls = yield* SignedUrls
      const platforms = yield* Platforms
      const cipher = yield* CredentialCipher
      const repository = yield* SocialAccountRepository

      const ofServers = (id: PlatformId) =>
        platforms.all.some((platform) => platform.id === id && platform.serverOf !== undefined)

      const networkOf = Effect.fnUntraced(
        function* (
          { demo, platform, remote_id, username }: SocialAccountRow,
          sealed: Uint8Array | undefined
        ) {
          if (demo !== null) return "test"
          if (sealed !== undefined)
            return yield* platforms.networkOf(platform, cipher.decrypt(owner(platform, remote_id), sealed))
          // Without access the name of the server tells, where names have one.
          const isNamed = ofServers(platform) && isTestServer(`https://${username.split("@").at(-1)}`)
          return isNamed ? "test" : yield* platforms.networkOf(platform, null)
        },
        // Credentials that cannot be read any more talk to nobody.
        Effect.catchCause(() => Effect.succeed("real" as const))
      )

      const shown = Effect.fnUntraced(function* (
        row: SocialAccountRow,
        sealed: Uint8Array | undefined
      ): Effect.fn.Return<SocialAccount> {
        const { avatar_version, granted_scopes, remote_id: _, workspace_id: __, ...rest } = row
        return {
          ...rest,
          network: yield* networkOf(row, sealed),
          warning: yield* Option.getOrUndefined(platforms.get(row.platform))?.warning ?? Effect.succeed(null),
          avatar_url: avatar_version === null ? null : yield* urls.avatar(row.id, avatar_version),
          id: SocialAccountId.make(row.id),
          permissions: grantedPermissions(row.platform, granted_scopes),
          needs_reconnect: row.status === "needs_reconnect"
        }
      })

      const all = Effect.fnUntraced(function* (rows: ReadonlyArray<SocialAccountRow>) {
        const ids = rows.flatMap(({ id, platform }) => (ofServers(platform) ? [id] : []))
        const sealed = ids.length === 0 ? new Map<number, Uint8Array>() : yield* repository.sealed(ids)
        return yield* Effect.forEach(rows, (row) => shown(row, sealed.get(row.id)))
      })

      return SocialAccountView.of({ all, one: (row) => Effect.map(all([row]), ([account]) => account!) })
    })
  ).pipe(Layer.provide([SocialAccountRepository.layer, SignedUrls.layer]))
}

import { Effect, Option } from "effect"
import { type Adapter, type AdapterPayload, errors, Provider } from "oidc-provider"
import type { CredentialCipher } from "../crypto/CredentialCipher.ts"
import type { Grants } from "../auth/Grants.ts"
import type { RecordRepository } from "./RecordRepository.ts"
import { exchangedAgo } from "./Successors.ts"

interface Parts {
  readonly records: RecordRepository["Service"]
  readonly grants: Grants["Service"]
  readonly cipher: CredentialCipher["Service"]
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>
  readonly refreshGraceMillis: number
}

type Stored = Readonly<Record<string, unknown>>

/** For this long a device's code is reported as expired, and not as unknown. */
const expiredIsToldFor = 60 * 60

/** The owner that a client's encrypted secret is bound to. */
const secretOf = (id: string) => `oauth client:${id}`

/**
 * The authorization server's storage. Ids are hashed, and fields that repeat them are left out: the `jti` of an
 * opaque token is the token.
 */
export const recordAdapter =
  ({ records, grants, cipher, run, refreshGraceMillis }: Parts) =>
  (model: string): Adapter => {
    const toStored = (
      id: string,
      { jti: _, client_secret: secret, userCode, ...payload }: AdapterPayload
    ): Stored => ({
      ...payload,
      ...(userCode === undefined ? {} : { uid: userCode }),
      ...(model === "Session" || model === "Grant" ? { jti: id } : {}),
      ...(secret === undefined
        ? {}
        : {
            encrypted_secret: Buffer.from(cipher.seal(secretOf(id), { secret })).toString("base64")
          })
    })

    const fromStored = (id: string, { encrypted_secret: encrypted, ...payload }: Stored): AdapterPayload => ({
      ...payload,
      ...(model === "Client" ? {} : { jti: id }),
      ...(typeof encrypted === "string"
        ? {
            client_secret: cipher.open(secretOf(id), Buffer.from(encrypted, "base64"))["secret"] as string
          }
        : {})
    })

    const find = Effect.fnUntraced(function* (id: string) {
      const found = yield* records.find(model, id)
      if (Option.isNone(found)) return undefined
      if (model === "Client") yield* records.renewClient(id)
      const { payload, consumed_ms_ago: ago } = found.value
      // Several processes of one app share a refresh token and exchange it at once; none of them stole it.
      if (model === "RefreshToken" && Provider.ctx !== undefined) Provider.ctx.state[exchangedAgo] = ago
      const consumed = ago !== null && (model !== "RefreshToken" || ago > refreshGraceMillis)
      return { ...fromStored(id, payload), ...(consumed ? { consumed: true } : {}) }
    })

    const end = (grantId: string, because: "app" | "reuse") =>
      run(grants.end(grantId, because, Provider.ctx?.ip))

    return {
      upsert: (id, payload, expiresIn) =>
        run(
          records.upsert(
            model,
            id,
            toStored(id, payload),
            model === "DeviceCode" ? expiresIn! + expiredIsToldFor : expiresIn
          )
        ) as Promise<undefined>,
      find: (id) => run(find(id)),
      findByUid: (uid) =>
        run(
          Effect.map(records.findByUid(model, uid), (found) =>
            Option.isNone(found)
              ? undefined
              : fromStored(String(found.value.payload["jti"] ?? ""), found.value.payload)
          )
        ),
      // Our own page looks codes up: DeviceCodeRepository.
      findByUserCode: () => Promise.resolve(undefined),
      consume: async (id) => {
        const first = await run(records.consume(model, id))
        if (first || (model !== "AuthorizationCode" && model !== "DeviceCode")) return undefined
        // Another request with the same code was faster; one of the two was not the app's.
        const found = await run(records.find(model, id))
        const grantId = Option.isSome(found) ? found.value.payload["grantId"] : undefined
        if (typeof grantId === "string") await end(grantId, "reuse")
        throw new errors.InvalidGrant("code already consumed")
      },
      destroy: (id) => run(records.destroy(model, id)) as Promise<undefined>,
      revokeByGrantId: (grantId) =>
        end(grantId, Provider.ctx?.oidc.route === "revocation" ? "app" : "reuse") as Promise<undefined>
    }
  }

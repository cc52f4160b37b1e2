import { Effect, Option } from "effect"
import type { Handle } from "../engine/Handle.ts"
import { Accepted, type Platform, type PublishRequest } from "../platforms/Platform.ts"
import type { CredentialCipher } from "../crypto/CredentialCipher.ts"

/** The platform with handles that the engine may store: their secret fields are encrypted, bound to the target. */
export const withSealedHandles = (cipher: CredentialCipher["Service"], platform: Platform): Platform => {
  const { secret_handle_fields: secret } = platform
  if (secret === undefined) return platform

  const close = (request: PublishRequest, handle: Handle): Handle => {
    const [plain, hidden] = [false, true].map((wanted) =>
      Object.fromEntries(Object.entries(handle).filter(([name]) => secret.includes(name) === wanted))
    ) as [Handle, Handle]
    if (Object.keys(hidden).length === 0) return handle
    const ciphertext = cipher.seal(boundTo(request), hidden)
    return { ...plain, sealed: Buffer.from(ciphertext).toString("base64") }
  }

  /** Leaves out what cannot be decrypted because its secret is gone: the adapter then finds the handle unreadable. */
  const open = (request: PublishRequest, handle: Handle): Handle => {
    const { sealed, ...plain } = handle
    if (typeof sealed !== "string") return handle
    const hidden = decrypted(boundTo(request), Buffer.from(sealed, "base64"))
    return { ...plain, ...Option.getOrElse(hidden, () => ({})) }
  }

  const decrypted = Option.liftThrowable(cipher.open)

  const closed =
    (request: PublishRequest) =>
    <A extends { readonly handle: Handle }>(given: A): A => ({
      ...given,
      handle: close(request, given.handle)
    })

  return {
    ...platform,
    prepare: (request, credentials, saved, save) =>
      platform
        .prepare(request, credentials, saved === null ? null : open(request, saved), (handle) =>
          save(close(request, handle))
        )
        .pipe(Effect.map(closed(request))),
    poll: (request, credentials, handle) =>
      Effect.map(platform.poll(request, credentials, open(request, handle)), closed(request)),
    commit: (request, credentials, handle) =>
      Effect.map(platform.commit(request, credentials, open(request, handle)), (done) =>
        done instanceof Accepted ? new Accepted({ ...done, handle: close(request, done.handle) }) : done
      ),
    reconcile: (request, credentials, handle, taken) =>
      Effect.map(platform.reconcile(request, credentials, open(request, handle), taken), (found) =>
        found._tag === "working" ? closed(request)(found) : found
      ),
    confirm: (request, credentials, handle, data) =>
      platform.confirm(request, credentials, open(request, handle), data)
  }
}

const boundTo = ({ target_id }: PublishRequest) => `handle:${target_id}`

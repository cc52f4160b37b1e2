import type { Forbidden, MediaId } from "@carillon/domain"
import { problem } from "@carillon/domain"
import { Context, DateTime, Effect, Layer } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { AppConfig } from "../../AppConfig.ts"
import { Secrets } from "../../crypto/Secrets.ts"

/** The values that bind an upload URL besides its time: no other bytes can be sent with it. */
export interface UploadTarget {
  readonly id: MediaId
  readonly mime_type: string
  readonly size_bytes: number
}

/** The query of a signed URL. */
export interface Signature {
  readonly expires: string
  readonly signature: string
}

/** A file's URL stays the same for this long, so that browsers and platforms can cache its answer. */
const fileUrlStep = 60 * 60
const fileUrlLifetime = 24 * 60 * 60

/**
 * Absolute URLs that work without a credential until their time has passed.
 * `expires` is in seconds since 1970; the signature is an HMAC-SHA256 in base64url over purpose, item and time.
 */
export class SignedUrls extends Context.Service<
  SignedUrls,
  {
    upload(target: UploadTarget, expiresAt: DateTime.Utc): string
    complete(id: MediaId): string
    /** The page on which a person chooses the file of an upload. */
    uploadPage(id: MediaId, expiresAt: DateTime.Utc): string
    /** Valid for at least 24 hours. */
    file(item: { readonly id: MediaId; readonly name: string }): Effect.Effect<string>
    /** The same for an item fitted to a platform. `name` is for readers that ignore the Content-Type. */
    variant(id: MediaId, variant: string, name: string): Effect.Effect<string>
    /** The picture of an account, in that version. */
    avatar(accountId: number, version: string): Effect.Effect<string>
    /** An item that does not exist or takes no upload (null) gets the same refusal as a wrong signature. */
    verifyUpload(target: UploadTarget | null, given: Signature): Effect.Effect<void, Forbidden>
    verifyUploadPage(id: string, given: Signature): Effect.Effect<void, Forbidden>
    verifyFile(id: string, given: Signature): Effect.Effect<void, Forbidden>
    verifyVariant(id: string, variant: string, given: Signature): Effect.Effect<void, Forbidden>
    verifyAvatar(accountId: string, version: string, given: Signature): Effect.Effect<void, Forbidden>
  }
>()("@carillon/server/media/files/SignedUrls") {
  static readonly layer = Layer.effect(
    SignedUrls,
    Effect.gen(function* () {
      const { publicUrl } = yield* AppConfig
      const key = (yield* Secrets).key("media urls")

      const sign = (parts: ReadonlyArray<string>): Buffer =>
        createHmac("sha256", key).update(parts.join("\n")).digest()

      const query = (parts: ReadonlyArray<string>, expires: string) =>
        `expires=${expires}&signature=${sign([...parts, expires]).toString("base64url")}`

      const verify = Effect.fnUntraced(function* (
        parts: ReadonlyArray<string>,
        given: Signature,
        renewal: string
      ) {
        const expected = sign([...parts, given.expires])
        // Compared as text: base64url has several spellings of the same bytes, and only ours is valid.
        const bytes = Buffer.from(given.signature, "utf8")
        const ours = Buffer.from(expected.toString("base64url"), "utf8")
        if (bytes.length !== ours.length || !timingSafeEqual(bytes, ours)) {
          return yield* problem(
            "signature_invalid",
            `The URL does not have a valid signature: it was changed or truncated. Use it exactly as it was given, or ${renewal}.`
          )
        }
        const now = yield* DateTime.now
        const expires = DateTime.makeUnsafe(Number(given.expires) * 1000)
        if (DateTime.isLessThanOrEqualTo(expires, now)) {
          return yield* problem(
            "signature_expired",
            `The URL expired at ${DateTime.formatIso(expires)}. To continue, ${renewal}.`
          )
        }
      })

      return SignedUrls.of({
        upload: (target, expiresAt) =>
          `${publicUrl}/v1/media/${target.id}/upload?${query(uploadParts(target), String(toSeconds(expiresAt)))}`,
        complete: (id) => `${publicUrl}/v1/media/${id}/complete`,
        uploadPage: (id, expiresAt) =>
          `${publicUrl}/upload/${id}?${query(["page", id], String(toSeconds(expiresAt)))}`,
        file: ({ id, name }) =>
          Effect.map(
            fileExpires,
            (expires) => `${publicUrl}/media/${id}/${asciiName(name)}?${query(["file", id], expires)}`
          ),
        variant: (id, variant, name) =>
          Effect.map(
            fileExpires,
            (expires) =>
              `${publicUrl}/media/${id}/${variant}/${name}?${query(["image", id, variant], expires)}`
          ),
        avatar: (accountId, version) =>
          Effect.map(
            fileExpires,
            (expires) =>
              `${publicUrl}/media/accounts/${accountId}/${version}.webp?${query(avatarParts(String(accountId), version), expires)}`
          ),
        verifyUpload: (target, given) =>
          verify(target === null ? ["upload", ""] : uploadParts(target), given, "reserve the upload again"),
        verifyUploadPage: (id, given) => verify(["page", id], given, "ask for a new page"),
        verifyFile: (id, given) => verify(["file", id], given, "read the media item again for a new one"),
        verifyVariant: (id, variant, given) =>
          verify(["image", id, variant], given, "publish the post again for a new one"),
        verifyAvatar: (accountId, version, given) =>
          verify(avatarParts(accountId, version), given, "read the account again for a new one")
      })
    })
  )
}

const fileExpires = Effect.map(DateTime.now, (now) =>
  String((Math.floor(toSeconds(now) / fileUrlStep) + 1) * fileUrlStep + fileUrlLifetime)
)

const toSeconds = (time: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(time) / 1000)

const uploadParts = ({ id, mime_type, size_bytes }: UploadTarget) => [
  "upload",
  id,
  mime_type,
  String(size_bytes)
]

const avatarParts = (accountId: string, version: string) => ["avatar", accountId, version]

/** The last path segment of a file's URL, for people; the id alone decides what is served. */
export const asciiName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(-80)
    // Never a dot first or last: `.` and `..` are path segments with a meaning.
    .replace(/^[-.]+|[-.]+$/g, "") || "file"

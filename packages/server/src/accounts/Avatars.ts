import { type Forbidden, type NotFound, problem, type WorkspaceId } from "@carillon/domain"
import { Context, Data, Effect, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { AppConfig } from "../AppConfig.ts"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { inTurn, openImage, readHeader } from "../media/images/Images.ts"
import { Probe } from "../media/Probe.ts"
import { type Signature, SignedUrls } from "../media/files/SignedUrls.ts"
import { isBelow } from "../platforms/TestNetwork.ts"
import { type AvatarPicture, SocialAccountRepository } from "./SocialAccountRepository.ts"

const side = 160
const maxBytes = 4 * 1024 * 1024

/** Somebody waits for the account to be connected. */
const limits = { firstByte: "3 seconds", idle: "2 seconds", total: "5 seconds" } as const

/** Accounts that a start looks after. */
const mostAtOnce = 200

class NoPicture extends Data.TaggedError("NoPicture")<{ readonly message: string }> {}

/**
 * The pictures of accounts: small copies, kept with the account, so that nobody who looks at them is seen by a platform.
 * What a platform names is fetched when an account is connected, and if that fails, at the next renewal and start.
 */
export class Avatars extends Context.Service<
  Avatars,
  {
    /** The picture behind a platform's address; null if there is none to be had. */
    fetch(workspaceId: WorkspaceId, url: string | null): Effect.Effect<AvatarPicture | null>
    /** Fetches the picture of an account that lacks it; null: of all. */
    fetchMissing(accountId: number | null): Effect.Effect<void>
    /** A WebP. */
    open(
      accountId: string,
      version: string,
      given: Signature
    ): Effect.Effect<Uint8Array, Forbidden | NotFound>
  }
>()("@carillon/server/accounts/Avatars") {
  static readonly layer = Layer.effect(
    Avatars,
    Effect.gen(function* () {
      const { sandboxUrl } = yield* AppConfig
      const repository = yield* SocialAccountRepository
      const urls = yield* SignedUrls
      const probe = yield* Probe
      const remote = Context.get(yield* Layer.build(RemoteFetch.layerOf(limits)), RemoteFetch)
      // The test network is at an address that is ours.
      const ours = Context.get(
        yield* Layer.build(RemoteFetch.layerOf({ ...limits, allowPrivateHosts: true })),
        RemoteFetch
      )

      const clientFor = (url: string) => (isBelow(sandboxUrl, url) ? ours : remote)

      const small = Effect.fn("Avatars.small")(function* (workspace_id: WorkspaceId, url: string) {
        const { content } = yield* clientFor(url).download(url, { maxBytes })
        const input = yield* Stream.mkUint8Array(content)
        const mime_type = yield* probe.identify(input)
        if (mime_type === null || !mime_type.startsWith("image/") || mime_type === "image/heic") {
          return yield* new NoPicture({ message: "its bytes are not a picture of a supported type" })
        }
        const picture = { input, mime_type, workspace_id }
        const { alone } = yield* readHeader(picture)
        const avatar = yield* Effect.tryPromise({
          try: () =>
            openImage(input)
              .autoOrient()
              .resize({ width: side, height: side, fit: "cover" })
              .toColourspace("srgb")
              .webp({ quality: 82 })
              .toBuffer(),
          catch: () => new NoPicture({ message: "the picture cannot be read" })
        }).pipe(inTurn(picture, alone))
        return { avatar, avatar_version: createHash("sha256").update(avatar).digest("hex").slice(0, 16) }
      }, Effect.scoped)

      const fetch: Avatars["Service"]["fetch"] = (workspaceId, url) =>
        url === null
          ? Effect.succeed(null)
          : small(workspaceId, url).pipe(
              Effect.tapError((failure) =>
                Effect.logInfo(
                  `an account has no picture: ${"message" in failure ? failure.message : String(failure)}`
                )
              ),
              Effect.orElseSucceed(() => null)
            )

      const fetchMissing = Effect.fn("Avatars.fetchMissing")(function* (accountId: number | null) {
        const sources = yield* repository.withoutAvatar(accountId, mostAtOnce)
        yield* Effect.forEach(
          sources,
          Effect.fnUntraced(function* (source) {
            const picture = yield* fetch(source.workspace_id, source.avatar_url)
            if (picture !== null) yield* repository.keepAvatar(source, picture)
          }),
          { concurrency: 2, discard: true }
        )
      })

      const open = Effect.fn("Avatars.open")(function* (
        accountId: string,
        version: string,
        given: Signature
      ) {
        yield* urls.verifyAvatar(accountId, version, given)
        const bytes = yield* repository.avatar(Number(accountId), version)
        return bytes ?? (yield* problem("not_found", "The account now has another picture, or none."))
      })

      return Avatars.of({ fetch, fetchMissing, open })
    })
  ).pipe(Layer.provide([SocialAccountRepository.layer, SignedUrls.layer, Probe.layer]))
}

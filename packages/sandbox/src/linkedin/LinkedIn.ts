import { Clock, Context, Effect, Layer, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Journal } from "../Journal.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { StoredMedia } from "../MediaStore.ts"
import { sha256 } from "../Redaction.ts"

const Kind = Schema.Literals(["image", "document", "video"])
export type Kind = typeof Kind.Type

const Asset = Schema.Struct({
  urn: Schema.String,
  kind: Kind,
  /** A URN. */
  owner: Schema.String,
  account: Schema.String,
  /** What its addresses have in common, which is the permission to upload. */
  secret_sha256: Schema.String,
  /** The bytes that each of its addresses takes; of what is no video null. */
  sizes: Schema.Array(Schema.NullOr(Schema.Int)),
  /** Unix time in milliseconds. */
  expires_at: Schema.Int
})
export interface Asset extends Schema.Schema.Type<typeof Asset> {}

/** A part of a video, or its thumbnail. */
const Part = Schema.Struct({ slot: Schema.String, etag: Schema.String, file: StoredMedia })
export interface Part extends Schema.Schema.Type<typeof Part> {}

/** What becomes of a file that has arrived: more looks find it processing before. */
const Fate = Schema.Struct({
  polls: Schema.Int,
  becomes: Schema.Literals(["AVAILABLE", "PROCESSING_FAILED"])
})
export interface Fate extends Schema.Schema.Type<typeof Fate> {}

const LinkedInEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("initialized"), asset: Asset }),
  Schema.Struct({ type: Schema.Literal("received"), urn: Schema.String, part: Part, fate: Fate }),
  Schema.Struct({ type: Schema.Literal("completed"), urn: Schema.String, file: StoredMedia }),
  Schema.Struct({ type: Schema.Literal("looked"), urn: Schema.String }),
  Schema.Struct({ type: Schema.Literal("reset") })
])
type LinkedInEvent = typeof LinkedInEvent.Type

interface StoredAsset extends Asset, Fate {
  readonly parts: ReadonlyMap<string, Part>
  readonly file: StoredMedia | null
}

export type Status = "WAITING_UPLOAD" | "PROCESSING" | Fate["becomes"]

/** The pictures, documents and videos of the stand-in for LinkedIn, and its posts, which are publications of the ledger. */
export class LinkedIn extends Context.Service<
  LinkedIn,
  {
    /** Gives the asset, and the secret of its addresses. */
    initialize(
      asset: Pick<Asset, "kind" | "owner" | "account" | "sizes">,
      seconds: number
    ): Effect.Effect<{ readonly asset: Asset; readonly secret: string }>
    find(urn: string): StoredAsset | undefined
    /** By the part of its URN that its addresses have. */
    byAddress(id: string): StoredAsset | undefined
    received(urn: string, part: Part, fate: Fate): void
    completed(urn: string, file: StoredMedia): void
    status(asset: StoredAsset): Status
    /** The status, which a look at what is processing moves one step on. */
    look(asset: StoredAsset): Status
    /** Of an author, newest first. */
    posts(author: string): ReadonlyArray<Publication>
  }
>()("@carillon/sandbox/linkedin/LinkedIn") {
  static readonly layer = Layer.effect(
    LinkedIn,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const assets = new Map<string, StoredAsset>()
      let count = 0

      const change = (urn: string, changed: (asset: StoredAsset) => Partial<StoredAsset>) => {
        const asset = assets.get(urn)
        if (asset !== undefined) assets.set(urn, { ...asset, ...changed(asset) })
      }

      const apply = (event: LinkedInEvent) => {
        switch (event.type) {
          case "initialized":
            count += 1
            assets.set(event.asset.urn, {
              ...event.asset,
              parts: new Map(),
              file: null,
              polls: 0,
              becomes: "AVAILABLE"
            })
            return
          case "received":
            return change(event.urn, ({ parts, polls, becomes }) => ({
              parts: new Map(parts).set(event.part.slot, event.part),
              polls: Math.max(polls, event.fate.polls),
              becomes: event.fate.becomes === "AVAILABLE" ? becomes : event.fate.becomes
            }))
          case "completed":
            return change(event.urn, () => ({ file: event.file }))
          case "looked":
            return change(event.urn, ({ polls }) => ({ polls: polls - 1 }))
          case "reset":
            assets.clear()
        }
      }
      const happen = yield* (yield* Journal).stream("linkedin", LinkedInEvent, apply, { type: "reset" })

      const status = ({ becomes, file, polls }: StoredAsset): Status =>
        file === null ? "WAITING_UPLOAD" : polls > 0 ? "PROCESSING" : becomes

      return LinkedIn.of({
        initialize: Effect.fn("LinkedIn.initialize")(function* (asset, seconds) {
          const secret = randomBytes(32).toString("base64url")
          const whole: Asset = {
            ...asset,
            urn: `urn:li:${asset.kind}:D4E10AQ${(firstAsset + count).toString(36).toUpperCase()}`,
            secret_sha256: sha256(secret),
            expires_at: (yield* Clock.currentTimeMillis) + seconds * 1000
          }
          happen({ type: "initialized", asset: whole })
          return { asset: whole, secret }
        }),
        find: (urn) => assets.get(urn),
        byAddress: (id) => [...assets.values()].find(({ urn }) => urn.endsWith(`:${id}`)),
        received: (urn, part, fate) => happen({ type: "received", urn, part, fate }),
        completed: (urn, file) => happen({ type: "completed", urn, file }),
        status,
        look: (asset) => {
          const found = status(asset)
          if (found === "PROCESSING") happen({ type: "looked", urn: asset.urn })
          return found
        },
        posts: (author) =>
          ledger
            .publications({ platform: "linkedin" })
            .filter(({ details }) => details?.["author"] === author)
            .toReversed()
      })
    })
  )
}

const firstAsset = 60_466_176_001

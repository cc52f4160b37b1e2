import {
  detectFacets,
  blueskyList,
  blueskyPost,
  type PlatformData,
  platformOptions,
  platformRules
} from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Random, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import {
  type Credentials,
  type Platform,
  type Prepared,
  PublishError,
  type PublishMedia,
  type PublishRequest,
  withWarnings
} from "../Platform.ts"
import type { RemoteFetch } from "../../http/RemoteFetch.ts"
import type { Handle } from "../../engine/Handle.ts"
import { platformHttp } from "../PlatformHttp.ts"
import { type BlueskyHandle, decodeHandle, feedPost, frozenWrites, writesOf } from "./BlueskyHandle.ts"
import { facetsWith } from "./Facets.ts"
import { gateWrites, replyRules } from "./Gates.ts"
import { type IdentityOptions, resolveIdentity } from "./Identity.ts"
import { recordsNamed } from "./NamedRecords.ts"
import { linkCards } from "./LinkCard.ts"
import { commitTimeout, repository } from "./Repository.ts"
import { type BlueskyCredentials, decodeStored, entryway, sessions } from "./Sessions.ts"
import { tid } from "./Tid.ts"
import { lookAgain, type VideoOptions, videos } from "./Video.ts"

type Options = typeof platformOptions.bluesky.Type
const decodeOptions = Schema.decodeUnknownOption(platformOptions.bluesky)

type Save = (handle: BlueskyHandle) => Effect.Effect<void, PublishError>

/** A post prepared later than this after its time gets the present date: an old date sinks in the feeds. */
const lateAfter = Duration.seconds(10)

/**
 * Bluesky and other AT Protocol servers. The commit creates the post and its gates in one go under a key that was chosen
 * in `prepare`; a server refuses it if the key is taken, so repeating it never makes a second post.
 */
export const makeBluesky = (
  /** For the servers of accounts, whose addresses are strangers'. */
  guarded: HttpClient.HttpClient,
  client: HttpClient.HttpClient,
  options: IdentityOptions & VideoOptions & Pick<RemoteFetch["Service"], "download">
): Platform => {
  const call = platformHttp(guarded, "Bluesky")
  const repo = repository(call)
  const named = recordsNamed(repo)
  const resolve = resolveIdentity(call, options)
  const video = videos(
    { server: call, service: platformHttp(client, "Bluesky's video service") },
    repo,
    ({ did, service }) =>
      service === entryway ? Effect.map(resolve(did), (found) => found.service) : Effect.succeed(service),
    options
  )

  /** The images in order, each uploaded once. */
  const imagesOf = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: BlueskyCredentials,
    start: BlueskyHandle,
    altText: Options["alt_text"],
    save: Save
  ) {
    const kept = { ...start.images }
    const images: Array<Schema.JsonObject> = []
    for (const [index, media] of request.media.entries()) {
      if (media.kind === "document") return yield* notTaken(media.name)
      if (media.kind === "video") continue
      let uploaded = kept[media.id]
      if (uploaded === undefined) {
        const { bytes, height, mime_type, width } = yield* media.image
        uploaded = {
          image: yield* repo.uploadBlob(credentials, HttpBody.uint8Array(bytes, mime_type)),
          aspectRatio: { width, height }
        }
        kept[media.id] = uploaded
        yield* save({ ...start, images: { ...kept } })
      }
      images.push({ alt: altOf(media, index, altText), ...uploaded })
    }
    return { handle: { ...start, images: kept }, images }
  })

  /** The card of the address that the options name or the text has first. Media leave no room for one. */
  const cardOf = Effect.fnUntraced(function* (
    { caption, media }: PublishRequest,
    credentials: BlueskyCredentials,
    { link, link_card }: Options
  ) {
    const uri = link ?? detectFacets(caption.toWellFormed()).find((facet) => facet.kind === "link")?.uri
    return uri === undefined || link_card === "off" || media.length > 0
      ? undefined
      : yield* linkCards(options.download, (body) => repo.uploadBlob(credentials, body))(uri)
  })

  /** The video as it is embedded; without `embed` the service is still at work on it. */
  const videoOf = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: BlueskyCredentials,
    kept: BlueskyHandle,
    altText: Options["alt_text"],
    save: Save
  ) {
    const [media] = request.media
    if (media?.kind !== "video") return undefined
    const sent = kept.video
    const now =
      sent === undefined
        ? yield* video.start(credentials, media)
        : "job" in sent
          ? yield* video.look(sent.job)
          : sent
    const handle: BlueskyHandle = { ...kept, video: now }
    if (sent === undefined) yield* save(handle)
    if ("job" in now) return { handle }
    const alt = altOf(media, 0, altText)
    return {
      handle,
      embed: {
        $type: "app.bsky.embed.video",
        video: now.blob,
        ...(alt === "" ? {} : { alt }),
        ...(media.width === null || media.height === null
          ? {}
          : { aspectRatio: { width: media.width, height: media.height } })
      }
    }
  })

  /** Takes a post as far as it comes now: to its frozen records, or to a wait for the video service. */
  const advance = Effect.fn("Bluesky.prepare")(function* (
    request: PublishRequest,
    stored: Credentials,
    saved: Handle | null,
    save: (handle: Handle) => Effect.Effect<void, PublishError>
  ): Effect.fn.Return<Prepared, PublishError> {
    const credentials = yield* decodeStored(stored)
    const start = Option.getOrElse(decodeHandle(saved), (): BlueskyHandle => ({ images: {} }))
    if (writesOf(start) !== undefined) return { _tag: "ready" as const, handle: start }

    const chosen = Option.getOrElse(decodeOptions(request.options), (): Options => ({}))
    const quoted =
      chosen.quote == null
        ? undefined
        : yield* named(credentials, { read: blueskyPost, collection: feedPost, what: "post" }, chosen.quote)
    const lists = yield* Effect.forEach(chosen.reply_lists ?? [], (address) =>
      named(credentials, { read: blueskyList, collection: "app.bsky.graph.list", what: "list" }, address)
    )
    const { handle, images } = yield* imagesOf(request, credentials, start, chosen.alt_text, save)
    const card = handle.card ?? (yield* cardOf(request, credentials, chosen))
    const kept: BlueskyHandle = card === undefined ? handle : { ...handle, card }
    if (card !== undefined) yield* save(kept)
    const shown = yield* videoOf(request, credentials, kept, chosen.alt_text, save)
    if (shown !== undefined && shown.embed === undefined)
      return { _tag: "wait", handle: shown.handle, poll_after: lookAgain } as const

    // A lone surrogate has no UTF-8 form and would shift every offset behind it.
    const text = request.caption.toWellFormed()
    const facets = yield* facetsWith((name) => repo.didOf(credentials, name))(text)
    const now = yield* DateTime.now
    const late = DateTime.isGreaterThan(now, DateTime.addDuration(request.due_at, lateAfter))
    const date = late ? now : request.due_at
    const createdAt = DateTime.formatIso(date)
    // Keys of one account must differ even for posts of the same instant: 30 random bits within the second.
    const microseconds = DateTime.toEpochMillis(date) * 1000 + (yield* Random.nextIntBetween(0, 999_999))
    const rkey = tid(microseconds, yield* Random.nextIntBetween(0, 1023))
    const post = {
      collection: feedPost,
      rkey,
      value: {
        $type: feedPost,
        text,
        createdAt,
        ...listed("langs", chosen.langs),
        ...listed("tags", chosen.tags),
        ...listed("facets", facets),
        ...selfLabels(chosen.labels),
        ...embedOf(picturesOf(images) ?? shown?.embed ?? card?.embed ?? undefined, quoted)
      }
    }
    const gates = gateWrites(
      {
        reply: replyRules(
          chosen.reply_gate ?? [],
          lists.map(({ uri }) => uri)
        ),
        noQuotes: chosen.quote_gate === "nobody"
      },
      { uri: addressOf(credentials.did, rkey), rkey, createdAt }
    )
    const complete: BlueskyHandle = { ...(shown?.handle ?? kept), writes: [post, ...gates] }
    return { _tag: "ready" as const, handle: complete }
  })

  return {
    id: "bluesky",
    rules: platformRules.bluesky,
    capabilities: {
      reconcile: () => "replay",
      prepare_ahead: Duration.minutes(10),
      settle_wait: Duration.seconds(5),
      lookup_apart: Duration.seconds(60),
      concurrent_commits: 256,
      commit_timeout: commitTimeout
    },

    ...sessions(call, options),

    prepare: advance,

    poll: (request, credentials, handle) => advance(request, credentials, handle, () => Effect.void),

    commit: Effect.fn("Bluesky.commit")(function* (request, secret, saved) {
      const credentials = yield* decodeStored(secret)
      const writes = yield* frozenWrites(saved)
      yield* repo.create(credentials, writes)
      return published(request, credentials.did, writes[0].rkey, saved)
    }),

    reconcile: Effect.fn("Bluesky.reconcile")(function* (request, secret, saved) {
      const credentials = yield* decodeStored(secret)
      const [post] = yield* frozenWrites(saved)
      const found = yield* repo.find(credentials, { repo: credentials.did, ...post })
      return found === null
        ? { _tag: "not_published" as const }
        : { _tag: "published" as const, data: published(request, credentials.did, post.rkey, saved) }
    }),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data)
  }
}

const altOf = (media: PublishMedia, index: number, given: Options["alt_text"]): string =>
  media.alt_text ?? (typeof given === "string" ? given : given?.[index]) ?? ""

/** A list of a record, which is left out rather than empty. */
const listed = (name: string, values: ReadonlyArray<Schema.Json> | null | undefined) =>
  values == null || values.length === 0 ? {} : { [name]: values }

const selfLabels = (labels: ReadonlyArray<string> | null | undefined) =>
  labels == null || labels.length === 0
    ? {}
    : {
        labels: {
          $type: "com.atproto.label.defs#selfLabels",
          values: [...new Set(labels)].map((val) => ({ val }))
        }
      }

/** Apps that do not know galleries show nothing of one, so that as many as fit are plain images. */
const picturesOf = (images: ReadonlyArray<Schema.JsonObject>): Schema.JsonObject | undefined => {
  if (images.length === 0) return undefined
  return images.length <= 4
    ? { $type: "app.bsky.embed.images", images }
    : {
        $type: "app.bsky.embed.gallery",
        items: images.map((image) => ({ $type: "app.bsky.embed.gallery#image", ...image }))
      }
}

/** What is shown below the text: media, a quoted post, or both. */
const embedOf = (
  media: { readonly [key: string]: Schema.Json } | undefined,
  quoted: { readonly uri: string; readonly cid: string } | undefined
) => {
  if (quoted === undefined) return media === undefined ? {} : { embed: media }
  const record = { $type: "app.bsky.embed.record", record: { uri: quoted.uri, cid: quoted.cid } }
  return {
    embed: media === undefined ? record : { $type: "app.bsky.embed.recordWithMedia", record, media }
  }
}

const addressOf = (did: string, rkey: string) => `at://${did}/${feedPost}/${rkey}`

const published = (request: PublishRequest, did: string, rkey: string, handle: Handle): PlatformData =>
  withWarnings(
    {
      id: addressOf(did, rkey),
      // An account whose domain has lapsed is called handle.invalid; its DID always works.
      url: `https://bsky.app/profile/${request.username === "handle.invalid" ? did : request.username}/post/${rkey}`,
      username: request.username
    },
    Option.match(decodeHandle(handle), { onNone: () => [], onSome: ({ card }) => card?.warnings ?? [] })
  )

const notTaken = (name: string) =>
  new PublishError({
    class: "invalid",
    code: "media_not_supported",
    message: `"${name}" is no image and no video. Posts to Bluesky take these; remove it for this platform.`
  })

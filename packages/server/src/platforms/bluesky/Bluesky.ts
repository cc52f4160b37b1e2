import { detectFacets, blueskyList, blueskyPost, type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Random, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import {
  type Credentials,
  type FollowingItem,
  type Platform,
  type Prepared,
  PublishError,
  type PublishMedia,
  type PublishRequest,
  WholeThread,
  withWarnings
} from "../Platform.ts"
import type { RemoteFetch } from "../../http/RemoteFetch.ts"
import type { Handle } from "../../engine/Handle.ts"
import { publishOptions, type PublishOptions } from "../PublishOptions.ts"
import { isTestServer, platformHttpWith } from "../TestNetwork.ts"
import { accountServers, type VideoOptions } from "./AccountServer.ts"
import {
  type BlueskyHandle,
  decodeHandle,
  feedPost,
  frozenWrites,
  type Parts,
  partsOf,
  type RecordWrite,
  type UploadedVideo,
  withParts
} from "./BlueskyHandle.ts"
import { cidOf } from "./Cid.ts"
import { facetsWith } from "./Facets.ts"
import { gateWrites, replyRules } from "./Gates.ts"
import { identities, type IdentityOptions, invalidHandle } from "./Identity.ts"
import { recordsNamed } from "./NamedRecords.ts"
import { linkCards } from "./LinkCard.ts"
import { commitTimeout, repository } from "./Repository.ts"
import { type BlueskyCredentials, decodeStored } from "./BlueskyCredentials.ts"
import { sessions } from "./Sessions.ts"
import { tid } from "./Tid.ts"
import { lookAgain, sentAsItIs, videos } from "./Video.ts"

type Options = PublishOptions<"bluesky">
const cidAt = (record: Schema.JsonObject) =>
  Effect.try({
    try: () => cidOf(record),
    catch: () =>
      new PublishError({
        class: "transient",
        code: "unreadable_answer",
        message: "Bluesky answered an upload with a link that is not a CID. Carillon will try again."
      })
  })
const optionsOf = publishOptions("bluesky")

interface RecordRef extends Schema.JsonObject {
  readonly uri: string
  readonly cid: string
}

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
  const { test_network } = options
  const call = platformHttpWith(test_network, guarded, "Bluesky")
  const appOf = ({ service }: BlueskyCredentials) =>
    test_network !== undefined && isTestServer(service) ? test_network.at("bsky.app") : "https://bsky.app"
  const repo = repository(call)
  const named = recordsNamed(repo)
  const servers = accountServers(call, identities(call, options).serverOf, options)
  const video = videos(
    { server: call, service: platformHttpWith(test_network, client, "Bluesky's video service") },
    repo,
    servers,
    options
  )

  /** The images in order, each uploaded once. */
  const imagesOf = Effect.fnUntraced(function* (
    { media: all }: FollowingItem,
    credentials: BlueskyCredentials,
    start: BlueskyHandle,
    altText: Options["alt_text"],
    save: Save
  ) {
    const kept = { ...start.images }
    const images: Array<Schema.JsonObject> = []
    for (const [index, media] of all.entries()) {
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
    { caption, media }: FollowingItem,
    credentials: BlueskyCredentials,
    { link, link_card }: Options
  ) {
    const uri = link ?? detectFacets(caption.toWellFormed()).find((facet) => facet.kind === "link")?.uri
    return uri === undefined || link_card === "off" || media.length > 0
      ? undefined
      : yield* linkCards(options.download, (body) => repo.uploadBlob(credentials, body))(uri)
  })

  /** What the options say about a video. Its subtitles are files of the account, as the video is. */
  const shownAs = Effect.fnUntraced(function* (
    credentials: BlueskyCredentials,
    { captions, presentation }: Options
  ) {
    const files = yield* Effect.forEach(captions ?? [], ({ lang, text }) =>
      Effect.map(repo.uploadBlob(credentials, HttpBody.text(text, "text/vtt")), (file) => ({ lang, file }))
    )
    return { ...listed("captions", files), ...(presentation == null ? {} : { presentation }) }
  })

  /** The video of an item, sent once and looked at until the service is done with it. */
  const videoOf = Effect.fnUntraced(function* (
    media: PublishMedia | undefined,
    credentials: BlueskyCredentials,
    sent: UploadedVideo | undefined,
    keep: (video: UploadedVideo) => Effect.Effect<void, PublishError>
  ) {
    if (media?.kind !== "video") return undefined
    if (sent === undefined) return yield* video.start(credentials, media, keep)
    if ("upload" in sent) return yield* video.resume(credentials, media, sent.upload)
    return "job" in sent ? yield* video.look(credentials, sent.job) : sent
  })

  /** Takes a post as far as it comes now: to its frozen records, or to a wait for the video service. */
  const advance = Effect.fn("Bluesky.prepare")(function* (
    request: PublishRequest,
    stored: Credentials,
    saved: Handle | null,
    save: (handle: Handle) => Effect.Effect<void, PublishError>
  ): Effect.fn.Return<Prepared, PublishError> {
    const credentials = yield* decodeStored(stored)
    let handle = Option.getOrElse(decodeHandle(saved), (): BlueskyHandle => ({ images: {} }))
    if (handle.writes !== undefined) return { _tag: "ready" as const, handle }

    const ofPost = optionsOf(request)
    const quoted =
      ofPost.quote == null
        ? undefined
        : yield* named(credentials, { read: blueskyPost, collection: feedPost, what: "post" }, ofPost.quote)
    const lists = yield* Effect.forEach(ofPost.reply_lists ?? [], (address) =>
      named(credentials, { read: blueskyList, collection: "app.bsky.graph.list", what: "list" }, address)
    )
    const { alt_text: _, link: __, quote: ___, ...ofFollowing } = ofPost
    const items: ReadonlyArray<FollowingItem> = [request, ...(request.thread?.rest ?? [])]
    const embeds: Array<Schema.JsonObject | undefined> = []
    let isReady = true
    for (const [index, item] of items.entries()) {
      const chosen: Options = index === 0 ? ofPost : ofFollowing
      const sent = yield* imagesOf(item, credentials, handle, chosen.alt_text, save)
      handle = sent.handle
      let card = partsOf(handle, index).card
      if (card === undefined) {
        card = yield* cardOf(item, credentials, chosen)
        if (card !== undefined) yield* save((handle = withParts(handle, index, { card })))
      }
      const before = partsOf(handle, index).video
      const known = handle
      const film = yield* videoOf(item.media[0], credentials, before, (sent) =>
        save(withParts(known, index, { video: sent }))
      )
      if (film !== undefined) {
        handle = withParts(handle, index, { video: film })
        if (before === undefined || "upload" in before) yield* save(handle)
        if (!("blob" in film)) isReady = false
      }
      const shown =
        film === undefined || !("blob" in film)
          ? undefined
          : videoEmbed(item.media[0]!, film.blob, altOf(item.media[0]!, 0, chosen.alt_text))
      embeds.push(picturesOf(sent.images) ?? shown ?? card?.embed ?? undefined)
    }
    if (!isReady) return { _tag: "wait", handle, poll_after: lookAgain } as const
    if (request.media[0]?.kind === "video")
      embeds[0] = { ...embeds[0], ...(yield* shownAs(credentials, ofPost)) }

    const now = yield* DateTime.now
    const late = DateTime.isGreaterThan(now, DateTime.addDuration(request.due_at, lateAfter))
    const date = DateTime.toEpochMillis(late ? now : request.due_at)
    // Keys of one account must differ even for posts of the same instant: 30 random bits within the second.
    const microseconds = date * 1000 + (yield* Random.nextIntBetween(0, 999_999))
    const clockId = yield* Random.nextIntBetween(0, 1023)
    const writes: Array<RecordWrite> = []
    let root: RecordRef | undefined
    let parent: RecordRef | undefined
    for (const [index, item] of items.entries()) {
      // A lone surrogate has no UTF-8 form and would shift every offset behind it.
      const text = item.caption.toWellFormed()
      const facets = yield* facetsWith((name) => repo.didOf(credentials, name))(text)
      // Each is a millisecond later than the one that it answers.
      const createdAt = DateTime.formatIso(DateTime.makeUnsafe(date + index))
      const rkey = tid(microseconds + index * 1000, clockId)
      const value: Schema.JsonObject = {
        $type: feedPost,
        text,
        createdAt,
        ...(root === undefined || parent === undefined ? {} : { reply: { root, parent } }),
        ...listed("langs", ofPost.langs),
        ...listed("tags", ofPost.tags),
        ...listed("facets", facets),
        ...selfLabels(ofPost.labels),
        ...embedOf(embeds[index], index === 0 ? quoted : undefined)
      }
      const uri = addressOf(credentials.did, rkey)
      writes.push(
        { collection: feedPost, rkey, value },
        ...gateWrites(
          {
            // Only the first post decides who may reply.
            reply:
              index > 0
                ? undefined
                : replyRules(
                    ofPost.reply_gate ?? [],
                    lists.map((list) => list.uri)
                  ),
            noQuotes: ofPost.quote_gate === "nobody"
          },
          { uri, rkey, createdAt }
        )
      )
      if (index < items.length - 1) {
        parent = { uri, cid: yield* cidAt(value) }
        root ??= parent
      }
    }
    const [first, ...others] = writes as [RecordWrite, ...Array<RecordWrite>]
    const complete: BlueskyHandle = { ...handle, writes: [first, ...others] }
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

    ...sessions(call, servers.limitsOf, options),

    serverOf: (stored) => Effect.map(decodeStored(stored), ({ service }) => service),

    prepare: advance,

    poll: (request, credentials, handle) => advance(request, credentials, handle, () => Effect.void),

    commit: Effect.fn("Bluesky.commit")(function* (request, secret, saved) {
      const credentials = yield* decodeStored(secret)
      const writes = yield* frozenWrites(saved)
      yield* repo.create(credentials, writes)
      const [first, ...others] = published(appOf(credentials), request, credentials, writes, saved)
      return request.thread === null ? first! : new WholeThread({ items: [first!, ...others] })
    }),

    reconcile: Effect.fn("Bluesky.reconcile")(function* (request, secret, saved) {
      const credentials = yield* decodeStored(secret)
      const writes = yield* frozenWrites(saved)
      const found = yield* repo.find(credentials, { repo: credentials.did, ...writes[0] })
      if (found === null) return { _tag: "not_published" as const }
      const items = published(appOf(credentials), request, credentials, writes, saved)
      return request.thread === null
        ? { _tag: "published" as const, data: items[0]! }
        : { _tag: "thread_published" as const, thread: new WholeThread({ items }) }
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

const videoEmbed = (
  { height, width }: PublishMedia,
  blob: Schema.JsonObject,
  alt: string
): Schema.JsonObject => ({
  $type: "app.bsky.embed.video",
  video: blob,
  ...(alt === "" ? {} : { alt }),
  ...(width === null || height === null ? {} : { aspectRatio: { width, height } })
})

/** The embed below the text: media, a quoted post, or both. */
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

/** Bluesky's ids of the posts in these writes, in order. `app` is the site where people read them. */
const published = (
  app: string,
  { username }: PublishRequest,
  { did }: BlueskyCredentials,
  writes: ReadonlyArray<RecordWrite>,
  saved: Handle
): ReadonlyArray<PlatformData> => {
  const handle = Option.getOrUndefined(decodeHandle(saved))
  return writes
    .filter(({ collection }) => collection === feedPost)
    .map(({ rkey }, index) =>
      withWarnings(
        {
          id: addressOf(did, rkey),
          // An account whose domain has lapsed is called handle.invalid; its DID always works.
          url: `${app}/profile/${username === invalidHandle ? did : username}/post/${rkey}`,
          username
        },
        handle === undefined ? [] : warningsOf(partsOf(handle, index))
      )
    )
}

const warningsOf = ({ card, video }: Parts): ReadonlyArray<string> => [
  ...(card?.warnings ?? []),
  ...(video !== undefined && "blob" in video && video.as_it_is === true ? [sentAsItIs] : [])
]

const notTaken = (name: string) =>
  new PublishError({
    class: "invalid",
    code: "media_not_supported",
    message: `"${name}" is neither an image nor a video. Bluesky accepts only these. Remove the file for this platform.`
  })

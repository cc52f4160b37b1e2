import { CID } from "multiformats/cid"
import { create } from "multiformats/hashes/digest"
import { Context, Effect, Layer, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { Journal } from "../Journal.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { MediaStore, type StoredMedia } from "../MediaStore.ts"

/** The host of the accounts' server. Each account's handle is a host below it. */
export const server = "bsky.sandbox"
export const videoService = "video.bsky.sandbox"

export const didOfHost = (host: string) => `did:web:${host}`
export const handleOf = (name: string) => `${name}.${server}`
export const didOf = (name: string) => didOfHost(handleOf(name))

/** The account of a handle or a DID. */
export const nameOf = (actor: string): string | undefined =>
  /^(?:did:web:)?([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\.bsky\.sandbox$/.exec(actor)?.[1]

/** The address of a file by its content: https://atproto.com/specs/data-model#link-and-cid-formats */
export const linkOf = (sha256: string) =>
  CID.createV1(0x55, create(0x12, Buffer.from(sha256, "hex"))).toString()

/** https://atproto.com/specs/data-model#blob-type */
export const blobOf = ({ content_type, sha256, size }: Omit<StoredMedia, "id">) => ({
  $type: "blob",
  ref: { $link: linkOf(sha256) },
  mimeType: content_type,
  size
})

const work = {
  /** How many more looks find it unfinished. */
  polls: Schema.Int,
  becomes: Schema.Literals(["ready", "failed"]),
  reason: Schema.NullOr(Schema.String)
}
const Work = Schema.Struct(work)
export interface Work extends Schema.Schema.Type<typeof Work> {}

/** A video that is made ready for every device. */
const Job = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  /** The id of the stored file. */
  media: Schema.String,
  ...work
})
export interface Job extends Schema.Schema.Type<typeof Job> {}

const PartUpload = Schema.Struct({
  id: Schema.String,
  account: Schema.String,
  content_type: Schema.String,
  /** Bytes. */
  size: Schema.Int,
  part_size: Schema.Int,
  /** Milliseconds since 1970. */
  expires_at: Schema.Finite
})
type PartUpload = typeof PartUpload.Type

/** An upload in parts, with the stored file of each part by its number. */
export interface OpenUpload extends PartUpload {
  readonly parts: ReadonlyMap<number, string>
  readonly work: Work | null
  readonly state: "created" | "completed" | "aborted"
  /** Of a completed one. */
  readonly job: string | null
}

const BlueskyEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("uploaded"), account: Schema.String, media: Schema.String }),
  Schema.Struct({ type: Schema.Literal("sent"), job: Job }),
  Schema.Struct({ type: Schema.Literal("looked"), id: Schema.String }),
  Schema.Struct({ type: Schema.Literal("upload_started"), upload: PartUpload }),
  Schema.Struct({
    type: Schema.Literal("part_received"),
    id: Schema.String,
    number: Schema.Int,
    media: Schema.String,
    work: Schema.NullOr(Work)
  }),
  Schema.Struct({
    type: Schema.Literal("upload_ended"),
    id: Schema.String,
    state: Schema.Literals(["completed", "aborted"]),
    job: Schema.NullOr(Schema.String)
  })
])
type BlueskyEvent = typeof BlueskyEvent.Type

/** The files and videos of the stand-in for Bluesky; its posts are publications of the ledger. */
export class Bluesky extends Context.Service<
  Bluesky,
  {
    upload(account: string, media: StoredMedia): void
    /** The account's file with this link. */
    file(account: string, link: string): StoredMedia | undefined
    /** Begins to make a video ready. */
    send(job: Omit<Job, "id"> & { readonly id?: string }): Job
    job(id: string): Job | undefined
    /** The job of the same bytes that the account sent before and that has not failed. */
    jobOf(account: string, sha256: string): Job | undefined
    /** A look moves an unfinished video one step on; a finished one is a file of the account. */
    look(job: Job): void
    startUpload(upload: PartUpload): void
    uploads(account: string): ReadonlyArray<OpenUpload>
    /** A part that is there already is replaced. `work`: what the file becomes, if a part was scripted to say so. */
    receivePart(id: string, number: number, media: string, work: Work | null): void
    endUpload(id: string, state: "completed" | "aborted", job: string | null): void
    /** The post at this address. */
    post(account: string, uri: string): Publication | undefined
  }
>()("@carillon/sandbox/bluesky/Bluesky") {
  static readonly layer = Layer.effect(
    Bluesky,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const store = yield* MediaStore
      const files = new Map<string, string>()
      const jobs = new Map<string, Job>()
      const uploads = new Map<string, OpenUpload>()

      const apply = (event: BlueskyEvent) => {
        switch (event.type) {
          case "uploaded": {
            const media = store.find(event.media)
            if (media !== undefined) files.set(`${event.account}/${linkOf(media.sha256)}`, media.id)
            return
          }
          case "sent":
            return void jobs.set(event.job.id, event.job)
          case "looked": {
            const job = jobs.get(event.id)!
            jobs.set(event.id, { ...job, polls: job.polls - 1 })
            return
          }
          case "upload_started": {
            const begun = {
              ...event.upload,
              parts: new Map(),
              work: null,
              state: "created",
              job: null
            } as const
            return void uploads.set(begun.id, begun)
          }
          case "part_received": {
            const before = uploads.get(event.id)!
            const parts = new Map(before.parts).set(event.number, event.media)
            return void uploads.set(event.id, { ...before, parts, work: event.work ?? before.work })
          }
          case "upload_ended": {
            const { id, job, state } = event
            uploads.set(id, { ...uploads.get(id)!, state, job })
          }
        }
      }
      const happen = yield* (yield* Journal).stream("bluesky", BlueskyEvent, apply)
      const upload = (account: string, media: string) => happen({ type: "uploaded", account, media })

      return Bluesky.of({
        upload: (account, { id }) => upload(account, id),
        file: (account, link) => {
          const id = files.get(`${account}/${link}`)
          return id === undefined ? undefined : store.find(id)
        },
        send: (sent) => {
          const job = { id: randomUUID(), ...sent }
          happen({ type: "sent", job })
          return job
        },
        job: (id) => jobs.get(id),
        jobOf: (account, sha256) =>
          [...jobs.values()].findLast(
            ({ becomes, media, ...job }) =>
              job.account === account && becomes === "ready" && store.find(media)?.sha256 === sha256
          ),
        look: ({ account, becomes, id, media, polls }) => {
          if (polls > 0) return happen({ type: "looked", id })
          if (becomes === "ready") upload(account, media)
        },
        startUpload: (upload) => happen({ type: "upload_started", upload }),
        uploads: (account) => [...uploads.values()].filter((one) => one.account === account),
        receivePart: (id, number, media, work) => happen({ type: "part_received", id, number, media, work }),
        endUpload: (id, state, job) => happen({ type: "upload_ended", id, state, job }),
        post: (account, uri) =>
          ledger
            .publications({ platform: "bluesky", account })
            .find(({ details }) => details?.["uri"] === uri)
      })
    })
  )
}

import { EngineLayer } from "@carillon/server/posts/EngineLayer"
import { PostMediaRepositoryLayer } from "@carillon/server/posts/PostMediaRepository"
import {
  Api,
  Authorization,
  CurrentActor,
  type Media,
  type UploadReservation,
  WorkspaceId
} from "@carillon/domain"
import { NodeHttpServer } from "@effect/platform-node"
import { ConfigProvider, Context, DateTime, Effect, Layer, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { readdir } from "node:fs/promises"
import { createServer, type IncomingHttpHeaders, request } from "node:http"
import { join } from "node:path"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import * as TestSql from "@carillon/testing/TestSql"
import { AppConfig } from "@carillon/server/AppConfig"
import { Secrets } from "@carillon/server/crypto/Secrets"
import { Events } from "@carillon/server/events/Events"
import { withEdge } from "@carillon/server/http/Edge"
import { makeRouteTable } from "@carillon/server/http/RouteTable"
import { RequestProblemsLayer } from "@carillon/server/http/Problems"
import { RemoteFetch } from "@carillon/server/http/RemoteFetch"
import { BlobStoreLayer } from "@carillon/server/media/files/BlobStoreLayer"
import { VideoRenditions } from "@carillon/server/media/videos/VideoRenditions"
import { Thumbnails } from "@carillon/server/media/images/Thumbnails"
import { VideoFrames } from "@carillon/server/media/videos/VideoFrames"
import { FetchMedia } from "@carillon/server/media/imports/FetchMedia"
import { ImportRepository } from "@carillon/server/media/imports/ImportRepository"
import { ImageRenditions } from "@carillon/server/media/images/ImageRenditions"
import { ImageFit } from "@carillon/server/media/images/ImageFit"
import { MediaEvents } from "@carillon/server/media/MediaEvents"
import { MediaHttpLayer } from "@carillon/server/media/MediaHttp"
import { MediaFiles } from "@carillon/server/media/serving/MediaFiles"
import { MediaFilesLayer } from "@carillon/server/media/serving/MediaFilesHttp"
import { Imports } from "@carillon/server/media/imports/Imports"
import { Uploads } from "@carillon/server/media/uploads/Uploads"
import { MediaLibrary } from "@carillon/server/media/MediaLibrary"
import { MediaChangeRepository } from "@carillon/server/media/files/MediaChangeRepository"
import { MediaRepository } from "@carillon/server/media/files/MediaRepository"
import { MediaSweepRepository } from "@carillon/server/media/files/MediaSweepRepository"
import { ReservationRepository } from "@carillon/server/media/files/ReservationRepository"
import { Probe } from "@carillon/server/media/Probe"
import { SignedUrls } from "@carillon/server/media/files/SignedUrls"
import { VideoProbe } from "@carillon/server/media/videos/VideoProbe"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { PlainAccounts } from "../accounts/PlainAccounts.ts"

export const home = WorkspaceId.make("0190a000-0000-7000-8000-000000000001")
export const elsewhere = WorkspaceId.make("0190a000-0000-7000-8000-000000000002")

/** Where the server of this test file listens, and where it keeps its files. */
export class MediaServer extends Context.Service<
  MediaServer,
  { readonly url: string; readonly port: number; readonly dataDir: string }
>()("test/MediaServer") {}

export const testConfig = (dataDir: string, publicUrl: string, env: Record<string, string> = {}) =>
  AppConfig.layer.pipe(
    Layer.provide(
      ConfigProvider.layer(
        ConfigProvider.fromUnknown({
          DATA_DIR: dataDir,
          PUBLIC_URL: publicUrl,
          CARILLON_SECRET: "a secret of the media tests, 32 characters and more",
          CARILLON_ALLOW_PRIVATE_HOSTS: "on",
          ...env
        })
      )
    )
  )

/** The key is the workspace's id. */
const authorization = Layer.succeed(
  Authorization,
  Authorization.of({
    bearer: (httpEffect, { credential }) =>
      Effect.provideService(httpEffect, CurrentActor, {
        workspace_id: WorkspaceId.make(Redacted.value(credential)),
        timezone: "UTC",
        key_id: null,
        key_name: null,
        member: null,
        member_id: null,
        instance: true,
        grant: null,
        scopes: ["admin"],
        social_accounts: null
      })
  })
)

const workspaces = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const now = DateTime.toDateUtc(yield* DateTime.now)
    for (const id of [home, elsewhere]) {
      yield* sql`insert into workspaces ${sql.insert({ id, name: "Test", created_at: now })}`
    }
  })
)

class MediaOnlyApi extends HttpApi.make("carillon").add(Api.groups.media) {}

/** Set below everything else: a clock that is moved by years afterwards would run every hourly fiber on its way. */
export const atNoon = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-11-21T12:00:00Z")))

/** The media room behind a real socket, with the real router, database and file system. */
export const mediaServerWith = (env: Record<string, string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const dataDir = yield* TestDirectory.make
      // Without Node's limit for a whole request, as the service runs: the media room has its own. A connection that was
      // idle while the machine stood still is not ended just when it is used again.
      const node = createServer({ requestTimeout: 0, keepAliveTimeout: 600_000 })
      const server = yield* NodeHttpServer.make(() => node, { port: 0, host: "127.0.0.1" })
      const { port } = node.address() as { readonly port: number }
      const url = `http://127.0.0.1:${port}`

      const services = Layer.mergeAll(
        MediaLibrary.layerNoDeps,
        Uploads.layerNoDeps,
        Imports.layerNoDeps,
        MediaFiles.layerNoDeps
      ).pipe(
        Layer.provideMerge(ImageRenditions.layerNoDeps),
        Layer.provide([VideoRenditions.layerNoDeps, Thumbnails.layerNoDeps]),
        Layer.provideMerge(
          FetchMedia.layerNoDeps.pipe(Layer.provideMerge(EngineLayer.pipe(Layer.provide(PlainAccounts))))
        ),
        Layer.provideMerge(MediaEvents.layerNoDeps),
        Layer.provide(VideoFrames.layerNoDeps),
        Layer.provideMerge(
          Layer.mergeAll(
            MediaRepository.layer,
            MediaChangeRepository.layer,
            MediaSweepRepository.layer,
            ReservationRepository.layer,
            ImportRepository.layer,
            SignedUrls.layer,
            Probe.layer,
            VideoProbe.layer,
            ImageFit.layer,
            BlobStoreLayer,
            RemoteFetch.layer,
            Events.layer,
            PostMediaRepositoryLayer
          )
        ),
        Layer.provideMerge(Wakeup.layer),
        Layer.provideMerge(workspaces.pipe(Layer.provideMerge(TestSql.layer))),
        Layer.provide(Secrets.layer),
        Layer.provideMerge(testConfig(dataDir, url, env))
      )
      const routes = Layer.mergeAll(HttpApiBuilder.layer(MediaOnlyApi), MediaFilesLayer).pipe(
        Layer.provide(MediaHttpLayer),
        Layer.provide([authorization, RequestProblemsLayer]),
        Layer.provide(NodeHttpServer.layerHttpServices)
      )
      const serving = Layer.effectDiscard(
        Effect.gen(function* () {
          const table = makeRouteTable()
          const handler = yield* HttpRouter.toHttpEffect(Layer.provide(routes, table.layer))
          yield* server.serve(withEdge(handler, yield* AppConfig, table.methodsOf))
        })
      )
      return Layer.mergeAll(serving, Layer.succeed(MediaServer, { url, port, dataDir })).pipe(
        Layer.provideMerge(services)
      )
    })
  ).pipe(Layer.provide(atNoon))

export const mediaServer = mediaServerWith({})

export interface Answer<A = any> {
  readonly status: number
  readonly headers: Headers
  readonly body: A
}

const answer = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text
  }
}

export const send = (url: string, init: RequestInit = {}) =>
  Effect.promise(async () => answer(await fetch(url, init)))

/** A call to the API as the workspace. */
export const call = Effect.fnUntraced(function* (
  method: string,
  path: string,
  body?: unknown,
  workspace = home
) {
  const { url } = yield* MediaServer
  return yield* send(url + path, {
    method,
    headers: { authorization: `Bearer ${workspace}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
})

export const reserve = Effect.fnUntraced(function* (
  mime_type: string,
  size_bytes: number,
  name?: string,
  workspace = home
) {
  const { body } = yield* call(
    "POST",
    "/v1/media/create-upload-url",
    { mime_type, size_bytes, name },
    workspace
  )
  return body as UploadReservation
})

export const put = (url: string, type: string, bytes: Uint8Array) =>
  send(url, { method: "PUT", headers: { "content-type": type }, body: bytes as Uint8Array<ArrayBuffer> })

export const upload = Effect.fnUntraced(function* (
  mime_type: string,
  bytes: Uint8Array,
  name?: string,
  workspace = home
) {
  const { upload_url } = yield* reserve(mime_type, bytes.byteLength, name, workspace)
  const { body } = yield* put(upload_url, mime_type, bytes)
  return body as Media
})

/** The names of the files that uploads are being written to. */
export const stagedFiles = Effect.gen(function* () {
  const { dataDir } = yield* MediaServer
  return yield* Effect.promise(() => readdir(join(dataDir, "media/staging")))
})

/** The paths of every file in the store, staged ones apart. */
export const storedFiles = Effect.gen(function* () {
  const { dataDir } = yield* MediaServer
  const entries = yield* Effect.promise(() =>
    readdir(join(dataDir, "media"), { recursive: true, withFileTypes: true })
  )
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith("staging"))
    .map((entry) => entry.name)
})

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: any
}

/** A PUT whose body is sent by hand. `begun` comes when the server has asked for the body. */
export const openPut = (url: string, headers: Record<string, string | number>) =>
  Effect.sync(() => {
    const put = request(url, { method: "PUT", headers: { ...headers, expect: "100-continue" } })
    const begun = new Promise<void>((resolve) => put.once("continue", resolve))
    const answered = new Promise<RawAnswer>((resolve, reject) => {
      put.once("error", reject)
      put.once("response", async (response) => {
        const text = Buffer.concat(await response.toArray()).toString()
        resolve({ status: response.statusCode!, headers: response.headers, body: JSON.parse(text) })
      })
    })
    answered.catch(() => {})
    put.flushHeaders()
    return { put, begun: Effect.promise(() => begun), answered: Effect.promise(() => answered) }
  })

import { isAtOneOf, loopbackNames } from "@carillon/domain"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ByteSize, Cause, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerError, HttpServerRequest } from "effect/http"
import { Bluesky } from "./bluesky/Bluesky.ts"
import { BlueskyHttpLayer } from "./bluesky/BlueskyHttp.ts"
import { VideoServiceHttpLayer } from "./bluesky/VideoServiceHttp.ts"
import { ControlHttpLayer } from "./ControlHttp.ts"
import { Discord } from "./discord/Discord.ts"
import { DiscordHttpLayer } from "./discord/DiscordHttp.ts"
import { errorAnswer } from "./ErrorAnswer.ts"
import { Exchange } from "./Exchange.ts"
import { Faults } from "./Faults.ts"
import { Facebook } from "./facebook/Facebook.ts"
import { FacebookHttpLayer } from "./facebook/FacebookHttp.ts"
import { FeedHttpLayer } from "./FeedHttp.ts"
import { GoogleBusiness } from "./googlebusiness/GoogleBusiness.ts"
import { GoogleBusinessHttpLayer } from "./googlebusiness/GoogleBusinessHttp.ts"
import { Instagram } from "./instagram/Instagram.ts"
import { InstagramHttpLayer } from "./instagram/InstagramHttp.ts"
import { Journal } from "./Journal.ts"
import { Ledger } from "./Ledger.ts"
import { LinkedIn } from "./linkedin/LinkedIn.ts"
import { LinkedInHttpLayer } from "./linkedin/LinkedInHttp.ts"
import { Mastodon } from "./mastodon/Mastodon.ts"
import { MastodonHttpLayer } from "./mastodon/MastodonHttp.ts"
import { MediaStore } from "./MediaStore.ts"
import { PeopleHttpLayer } from "./facebook/PeopleHttp.ts"
import { Network } from "./network/Network.ts"
import { NetworkHttpLayer } from "./network/NetworkHttp.ts"
import { NodeServer } from "./NodeServer.ts"
import { Tokens } from "./oauth/Tokens.ts"
import { Pinterest } from "./pinterest/Pinterest.ts"
import { PinterestHttpLayer } from "./pinterest/PinterestHttp.ts"
import { SandboxConfig } from "./SandboxConfig.ts"
import { Telegram } from "./telegram/Telegram.ts"
import { TelegramHttpLayer } from "./telegram/TelegramHttp.ts"
import { Threads } from "./threads/Threads.ts"
import { ThreadsHttpLayer } from "./threads/ThreadsHttp.ts"
import { TikTok } from "./tiktok/TikTok.ts"
import { TikTokHttpLayer } from "./tiktok/TikTokHttp.ts"
import { TwitterHttpLayer } from "./twitter/TwitterHttp.ts"
import { TwitterMedia } from "./twitter/TwitterMedia.ts"
import { YouTube } from "./youtube/YouTube.ts"
import { YouTubeHttpLayer } from "./youtube/YouTubeHttp.ts"

const PlatformRoutes = Layer.mergeAll(
  NetworkHttpLayer,
  TikTokHttpLayer,
  InstagramHttpLayer,
  FacebookHttpLayer,
  PeopleHttpLayer,
  YouTubeHttpLayer,
  PinterestHttpLayer,
  TelegramHttpLayer,
  DiscordHttpLayer,
  MastodonHttpLayer,
  BlueskyHttpLayer,
  TwitterHttpLayer,
  VideoServiceHttpLayer,
  LinkedInHttpLayer,
  GoogleBusinessHttpLayer,
  ThreadsHttpLayer
)
const Routes = Layer.mergeAll(PlatformRoutes, ControlHttpLayer, FeedHttpLayer)

const Services = Layer.mergeAll(
  Exchange.layer,
  Network.layer,
  TikTok.layer,
  Instagram.layer,
  Facebook.layer,
  YouTube.layer,
  Pinterest.layer,
  Telegram.layer,
  Discord.layer,
  Mastodon.layer,
  Bluesky.layer,
  TwitterMedia.layer,
  LinkedIn.layer,
  GoogleBusiness.layer,
  Threads.layer
).pipe(
  Layer.provideMerge(Layer.mergeAll(Ledger.layer, Faults.layer, MediaStore.layer, Tokens.layer)),
  Layer.provideMerge(Layer.mergeAll(Journal.layer, NodeServer.layer)),
  Layer.provideMerge(SandboxConfig.layer)
)

const Serve = Layer.effectDiscard(
  Effect.gen(function* () {
    const { listen } = yield* NodeServer
    const { allowedHosts, host } = yield* SandboxConfig
    const isOwnName = isAtOneOf([...loopbackNames, host, ...allowedHosts])
    const routes = yield* HttpRouter.toHttpEffect(Routes)
    yield* listen(
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
        isOwnName(`http://${headers["host"] ?? ""}`) ? routes : Effect.succeed(misdirected)
      ).pipe(
        Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1)),
        Effect.catchCause(unanswered)
      )
    )
  })
)

const misdirected = errorAnswer(
  403,
  "host_not_allowed",
  "The test network answers at this machine's own names only; SANDBOX_ALLOWED_HOSTS names more."
)

const unanswered = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
  const failure = Cause.squash(cause)
  if (HttpServerError.isHttpServerError(failure)) {
    if (failure.reason._tag === "RouteNotFound") {
      const { method, url } = yield* HttpServerRequest.HttpServerRequest
      return errorAnswer(404, "not_found", `There is no ${method} ${url.split("?", 1)[0]} here.`)
    }
    if (failure.reason._tag === "RequestParseError") {
      return errorAnswer(
        400,
        "bad_request",
        "The body could not be read to its end, or is larger than 1 MiB."
      )
    }
  }
  yield* Effect.logError("request failed", cause)
  return errorAnswer(500, "internal_error", "A mistake of the test network itself; its log says more.")
})

/** Listens last, when the ledger has been read and every route is there. */
export const App = Serve.pipe(Layer.provideMerge(Services), Layer.provide(NodeHttpServer.layerHttpServices))

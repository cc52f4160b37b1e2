import {
  Api,
  Authorization,
  List,
  NeededScope,
  paging,
  Post,
  RequestProblems,
  Several,
  toPage,
  type UpdatePost
} from "@carillon/domain"
import { Effect, Layer, Predicate, Schema } from "effect"
import { HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { AppConfig } from "../AppConfig.ts"
import { CurrentAnswering } from "../http/HttpMetrics.ts"
import { Posts } from "../posts/Posts.ts"
import { addressInV1, nextInside, postInWords, resultInWords } from "./PostBridgeWords.ts"

const prefix = "/post-bridge"

const { update } = Api.groups.posts.endpoints
const filter = Schema.optionalKey(Several(Schema.String))

/** What is not the same as under `/v1`: a change that may publish, and figures, of which there are none yet. */
class PostBridgeApi extends HttpApi.make("post-bridge")
  .add(
    HttpApiGroup.make("postBridge").add(
      update.prefix(prefix),
      HttpApiEndpoint.get("analytics", `${prefix}/v1/analytics`, {
        query: { ...paging, platform: filter, post_id: filter, post_result_id: filter, timeframe: filter },
        success: List(Schema.Never)
      })
        .annotate(NeededScope, "posts:read")
        .middleware(Authorization)
        .middleware(RequestProblems),
      HttpApiEndpoint.post("syncAnalytics", `${prefix}/v1/analytics/sync`, {
        query: { platform: filter },
        success: Schema.Struct({ triggered: Schema.Array(Schema.Never) }).pipe(HttpApiSchema.status(202))
      })
        .annotate(NeededScope, "posts:read")
        .middleware(Authorization)
        .middleware(RequestProblems)
    )
  )
  .annotateMerge(Api.annotations) {}

/** A post that loses its time goes out, unless it is said what else becomes of it. */
const publishes = ({ scheduled_at, use_queue, is_draft }: UpdatePost) =>
  scheduled_at === null && !use_queue && !is_draft

const encodePost = Schema.encodeSync(Post)

const OwnLayer = HttpApiBuilder.layer(PostBridgeApi).pipe(
  Layer.provide(
    HttpApiBuilder.group(
      PostBridgeApi,
      "postBridge",
      Effect.fnUntraced(function* (handlers) {
        const posts = yield* Posts
        return handlers.handleAll({
          update: ({ params, payload, headers }) =>
            Effect.map(
              posts.update(
                params.post_id,
                publishes(payload) ? { ...payload, publish: true } : payload,
                headers["if-match"]
              ),
              ({ post, etag }) =>
                HttpServerResponse.jsonUnsafe(postInWords(encodePost(post)), { headers: { etag } })
            ),
          analytics: ({ query }) =>
            Effect.succeed({ data: [], meta: { total: 0, ...toPage(query), next: null } }),
          syncAnalytics: () => Effect.succeed({ triggered: [] })
        })
      })
    )
  )
)

type Translate = (body: any) => object

/** The answers with words of their own, by the group of their operation. */
const translations: Readonly<Record<string, Translate>> = { posts: postInWords, results: resultInWords }

const isList = (body: object) => "data" in body && Array.isArray(body.data)
const hasStatus = (body: object) => "status" in body

/** The answer with its posts and results in the words of Post Bridge; of all other lists only `next` is another. */
const inWords = (
  response: HttpServerResponse.HttpServerResponse,
  asked: string,
  translate: Translate = (body) => body
): HttpServerResponse.HttpServerResponse => {
  const { status, headers, body } = response
  const isJson = headers["content-type"]?.startsWith("application/json") === true
  if (status >= 300 || !isJson || body._tag !== "Uint8Array") return response
  const said: any = JSON.parse(body.text ?? new TextDecoder().decode(body.body))
  if (!Predicate.isReadonlyObject(said)) return response
  const translated = isList(said)
    ? inWordsOfList(said, asked, translate)
    : hasStatus(said)
      ? translate(said)
      : said
  return HttpServerResponse.setBody(response, HttpBody.jsonUnsafe(translated))
}

const inWordsOfList = ({ data, meta }: any, asked: string, translate: Translate) => ({
  data: data.map(translate),
  ...(meta === undefined
    ? {}
    : { meta: { ...meta, next: meta.next === null ? null : nextInside(asked, meta.next) } })
})

/**
 * Every operation of `/v1` in the words of Post Bridge: the request is handed to its route under `/v1`, and the answer is
 * translated. A body is read and an answer streamed there.
 */
const SameLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { publicUrl } = yield* AppConfig
    const v1 = Effect.orDie(router.asHttpEffect())

    const handler = (translate: Translate | undefined) =>
      Effect.gen(function* () {
        // Without the prefix.
        const request = yield* HttpServerRequest.HttpServerRequest
        const response = yield* v1.pipe(
          Effect.provideService(
            HttpServerRequest.HttpServerRequest,
            request.modify({ url: addressInV1(request.url) })
          ),
          // The answer is counted under this route.
          Effect.provideService(CurrentAnswering, { route: "" })
        )
        return inWords(response, publicUrl + prefix + request.url, translate)
      })

    for (const { identifier, endpoints } of Object.values(Api.groups)) {
      for (const { method, path } of Object.values(endpoints)) {
        if (method === update.method && path === update.path) continue
        const route = HttpRouter.route(method, path, handler(translations[identifier]))
        yield* router.addAll([HttpRouter.prefixRoute(route, prefix)])
      }
    }
  })
)

/** `/post-bridge/v1`: the service in the words of Post Bridge (docs/coming-from-post-bridge.md). */
export const PostBridgeHttpLayer = Layer.mergeAll(OwnLayer, SameLayer)

import { Context, Effect, Layer, Option } from "effect"
import { HttpClientRequest } from "effect/http"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { repairedClient } from "./ClientMetadata.ts"
import { pinnedDocuments } from "./PinnedDocuments.ts"

/** The limits of a document: its size, and its time, because an app and a person wait for it. */
const maximumBytes = 5 * 1024
const longest = "4 seconds"

/**
 * The documents that apps publish about themselves (draft-ietf-oauth-client-id-metadata-document-02): fetched from public
 * addresses only, without redirects, and mended where well-known ones contain what the authorization server refuses.
 */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  {
    /** Answers the authorization server's own fetch; 502 where there is no document. */
    fetch(address: string): Effect.Effect<Response>
  }
>()("@carillon/server/oauth/ClientDocuments") {
  static readonly layer = Layer.effect(
    ClientDocuments,
    Effect.gen(function* () {
      const { client } = yield* RemoteFetch

      const fetched = Effect.fnUntraced(function* (address: string) {
        const response = yield* client.execute(
          HttpClientRequest.get(address).pipe(HttpClientRequest.accept("application/json"))
        )
        const body = yield* response.text
        if (response.status !== 200 || body.length > maximumBytes) return Option.none()
        const document: unknown = JSON.parse(body)
        return typeof document === "object" && document !== null
          ? Option.some({ document, cache: response.headers["cache-control"] })
          : Option.none()
      })

      return ClientDocuments.of({
        fetch: Effect.fn("ClientDocuments.fetch")(function* (address: string) {
          const found = yield* fetched(address).pipe(
            Effect.timeout(longest),
            Effect.sandbox,
            Effect.tapError((cause) =>
              Effect.logInfo("a client's document could not be fetched", { address }, cause)
            ),
            Effect.orElseSucceed(() => Option.none<{ document: object; cache: string | undefined }>())
          )
          const pinned = pinnedDocuments.find(({ client_id }) => client_id === address)
          const document = Option.isSome(found) ? found.value.document : pinned
          if (document === undefined) return new Response(null, { status: 502 })
          const cache = Option.isSome(found) ? found.value.cache : "max-age=600"
          return Response.json(repairedClient({ ...document }), {
            headers: cache === undefined ? {} : { "cache-control": cache }
          })
        })
      })
    })
  ).pipe(Layer.provide(RemoteFetch.layer))
}

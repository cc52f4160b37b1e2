/**
 * The Effect client: a service, typed failures, lists as streams.
 *
 *   node examples/effect-client.ts
 */
import { Carillon } from "@carillon/sdk/effect"
import { Console, Effect, Stream } from "effect"
import { fileURLToPath } from "node:url"

const picture = fileURLToPath(new URL("./media/bells.jpg", import.meta.url))

const program = Effect.gen(function* () {
  const carillon = yield* Carillon

  const { data } = yield* carillon.accounts.list({ platform: "sandbox", status: "connected" }).page
  const social_accounts = data.slice(0, 1).map(({ id }) => id)

  const { id } = yield* carillon.media.upload(picture)
  const post = yield* carillon.posts.create({ social_accounts, caption: "The morning bells.", media: [id] })

  yield* carillon.posts.waitUntilPublished(post.id).pipe(
    Effect.timeout("1 minute"),
    Effect.flatMap(({ results }) => Console.log(`Published: ${results[0]?.platform_data?.url}`))
  )

  const published = yield* carillon.posts.list({ status: "published" }).stream.pipe(
    Stream.take(1000),
    Stream.runFold(
      () => 0,
      (count) => count + 1
    )
  )
  yield* Console.log(`${published} posts are published.`)
}).pipe(
  Effect.catchTags({
    InvalidRequestError: ({ errors, message }) => Console.error(message, errors),
    PublishFailedError: ({ post }) => Console.error("Failed", post.results)
  })
)

await Effect.runPromise(program.pipe(Effect.provide(Carillon.layer)))

import { badRequest, PostProblems, type ProblemItem, UpdatePost } from "@carillon/domain"
import { Effect, Layer, Option, Predicate, Record, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { problemItems } from "../http/Problems.ts"
import { asksForDestination } from "./Destinations.ts"
import { Posts } from "./Posts.ts"

/** When some fields of a body cannot be decoded, the others are checked too, so that one answer names all problems. */
export const PostProblemsLayer = Layer.effect(
  PostProblems,
  Effect.gen(function* () {
    const posts = yield* Posts
    return PostProblems.of((httpEffect, { endpoint }) =>
      httpEffect.pipe(
        Effect.catch(
          Effect.fnUntraced(function* (failure) {
            if (!HttpApiError.HttpApiSchemaError.is(failure) || failure.kind !== "Payload") {
              return yield* Effect.fail(failure)
            }
            const items = problemItems(failure.cause.issue)
            const request = yield* HttpServerRequest.HttpServerRequest
            const body = yield* Effect.option(request.json)
            const unread = new Set(items.map(fieldOf))
            const readable = Option.flatMap(body, (fields) => readableOf(fields, unread))
            if (Option.isNone(readable)) return yield* badRequest(items)
            const { params } = yield* HttpRouter.RouteContext
            const further =
              endpoint.name === "update"
                ? yield* posts.problemsOfChange(params["post_id"]!, readable.value)
                : yield* posts.problemsOf({ social_accounts: [], ...readable.value })
            return yield* badRequest([...items, ...further.filter((item) => stands(item, unread))])
          })
        )
      )
    )
  })
)

const fieldOf = ({ path }: ProblemItem) => /^[^.[]*/.exec(path)![0]

const readableOf = (body: unknown, unread: ReadonlySet<string>): Option.Option<UpdatePost> =>
  Predicate.isReadonlyObject(body)
    ? decode(Record.filter(body as Record<string, unknown>, (_, name) => !unread.has(name)))
    : Option.none()

const decode = Schema.decodeUnknownOption(UpdatePost)

const overrides = ["platform_configurations", "account_configurations"]

/** Problems that an undecoded field may be the cause of, such as a missing text. They are not reported. */
const dependsOn: Readonly<Record<string, ReadonlyArray<string>>> = {
  empty_post: ["caption", "media", "media_urls", ...overrides],
  media_required: ["media", "media_urls", ...overrides]
}

const stands = (item: ProblemItem, unread: ReadonlySet<string>) =>
  !unread.has(fieldOf(item)) &&
  !(unread.has("social_accounts") && fieldOf(item) === "account_configurations") &&
  !(asksForDestination(item) ? overrides : (dependsOn[item.code] ?? [])).some((field) => unread.has(field))

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
            const unread = new Set(items.map(partOf))
            const readable = Option.flatMap(body, (fields) => readableOf(fields, unread))
            if (Option.isNone(readable)) return yield* badRequest(items)
            const { params } = yield* HttpRouter.RouteContext
            const further =
              endpoint.name === "update"
                ? yield* posts.problemsOfChange(params["post_id"]!, readable.value)
                : yield* posts.problemsOf(
                    { social_accounts: [], ...readable.value },
                    endpoint.name === "validate"
                  )
            return yield* badRequest([...items, ...further.filter((item) => stands(item, unread))])
          })
        )
      )
    )
  })
)

const fieldOf = ({ path }: { readonly path: string }) => /^[^.[]*/.exec(path)![0]

/** What is left out of a body that cannot be decoded: one option, where nothing else is wrong, else a whole field. */
const partOf = ({ path }: ProblemItem) =>
  /^(platform_configurations\.\w+|account_configurations\[\d+\])\.(?!account_id\b)\w+/.exec(path)?.[0] ??
  fieldOf({ path })

const readableOf = (body: unknown, unread: ReadonlySet<string>): Option.Option<UpdatePost> => {
  if (!Predicate.isReadonlyObject(body)) return Option.none()
  const { platform_configurations: platforms, account_configurations: accounts } = body
  const within = (entry: unknown, path: string) =>
    Predicate.isReadonlyObject(entry)
      ? Record.filter(entry, (_, name) => !unread.has(`${path}.${name}`))
      : entry
  const entries = {
    ...body,
    ...(Predicate.isReadonlyObject(platforms)
      ? {
          platform_configurations: Record.map(platforms, (entry, platform) =>
            within(entry, `platform_configurations.${platform}`)
          )
        }
      : {}),
    ...(Array.isArray(accounts)
      ? {
          account_configurations: accounts.map((entry, index) =>
            within(entry, `account_configurations[${index}]`)
          )
        }
      : {})
  }
  return decode(Record.filter(entries as Record<string, unknown>, (_, name) => !unread.has(name)))
}

const decode = Schema.decodeUnknownOption(UpdatePost)

const overrides = ["platform_configurations", "account_configurations"]

/** Problems that an undecoded part may be the cause of, such as a missing text. They are not reported. */
const dependsOn: Readonly<Record<string, ReadonlyArray<string>>> = {
  empty_post: ["caption", "media", "media_urls", ...overrides],
  media_required: ["media", "media_urls", ...overrides],
  option_not_accepted: overrides
}

const stands = (item: ProblemItem, unread: ReadonlySet<string>) => {
  const touched = new Set([...unread].map((path) => fieldOf({ path })))
  return (
    !unread.has(fieldOf(item)) &&
    !(unread.has("social_accounts") && fieldOf(item) === "account_configurations") &&
    !(asksForDestination(item) ? overrides : (dependsOn[item.code] ?? [])).some((field) => touched.has(field))
  )
}

import { Effect } from "effect"
import type { Refused } from "../Exchange.ts"
import type { Grant } from "../oauth/Tokens.ts"
import type { Operation } from "../Platforms.ts"
import type { GraphEndpoint } from "./GraphCaller.ts"
import { graphError, noObject } from "./GraphErrors.ts"
import { type Body, fieldsOf, pick } from "./GraphParameters.ts"

/** Something of an account's that has an id: a container, a video, a post. */
export interface GraphObject {
  /** That of reading it. */
  readonly operation: Operation
  readonly body: (fields: ReadonlyArray<string>) => Effect.Effect<Body, Refused>
  /** Undefined: nobody can comment on it. */
  readonly comments?: {
    readonly all: () => ReadonlyArray<Body>
    /** Gives the comment's id. */
    readonly add: (message: string) => string
  }
}

/** `GET /{id}?fields=`, and `POST` and `GET /{id}/comments`, of what `objectOf` finds for a caller. */
export const objectRoutes = (
  endpoint: GraphEndpoint,
  at: `/${string}`,
  objectOf: (grant: Grant, id: string) => Effect.Effect<GraphObject | undefined>
) => [
  endpoint("POST", `${at}/:id/comments`, {
    operation: "comment",
    scope: "comment",
    answer: ({ given, grant, id }) =>
      Effect.gen(function* () {
        const message = given.get("message") ?? ""
        const comments = (yield* objectOf(grant, id))?.comments
        if (comments === undefined) return yield* noObject(id, "post")
        if (message === "") return yield* graphError("100", "(#100) The parameter message is required")
        return { id: comments.add(message) }
      })
  }),
  endpoint("GET", `${at}/:id/comments`, {
    operation: "comment_search",
    scope: "comment",
    answer: ({ given, grant, id }) =>
      Effect.map(objectOf(grant, id), (object) => {
        const all = object?.comments?.all() ?? []
        return { data: given.has("fields") ? all.map((body) => pick(body, given)) : all }
      })
  }),
  endpoint<GraphObject | undefined>("GET", `${at}/:id`, {
    operation: null,
    scope: "read",
    read: ({ grant, id, seen }) =>
      Effect.map(objectOf(grant, id), (object) => {
        seen.operation = object?.operation ?? "account"
        return object
      }),
    answer: ({ given, id }, object) => object?.body(fieldsOf(given)) ?? noObject(id, "get")
  })
]

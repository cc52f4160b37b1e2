import type { Schema } from "effect"
import type { Dialect } from "../Exchange.ts"
import { graphDialect, graphError } from "../meta/GraphErrors.ts"

const notFound = "24/4279009"

const ofGraph = graphDialect("threads")

/** Errors of the Graph API, of which those of parameters have a type of their own. */
export const threadsDialect: Dialect = {
  ...ofGraph,
  errorBody: (code, message, status) => {
    const { error } = ofGraph.errorBody(code, message, status) as {
      readonly error: { readonly [key: string]: Schema.Json }
    }
    return {
      error: {
        ...error,
        ...(error["code"] === 100 ? { type: "THApiException" } : {}),
        ...(code === notFound
          ? {
              message: "The requested resource does not exist",
              error_user_title: "Media Not Found",
              error_user_msg: message
            }
          : {})
      }
    }
  }
}

/** A parameter that is wrong. */
export const invalid = (message: string) => graphError("100", `(#100) ${message}`)

export const denied = () => graphError("10", "Application does not have permission for this action", 403)

/** A container that is not there, or not ready: Threads does not tell them apart. */
export const noContainer = (id: string) => graphError(notFound, `The media with id ${id} cannot be found.`)

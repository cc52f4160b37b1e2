import { Api, CurrentActor, problem } from "@carillon/domain"
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AppConfig } from "../AppConfig.ts"
import { Members } from "./Members.ts"
import { cookieNamed } from "./SessionCookie.ts"

export const SessionHttpLayer = HttpApiBuilder.group(
  Api,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const { publicUrl } = yield* AppConfig
    const cookie = cookieNamed(publicUrl, "carillon_session")
    return handlers.handleAll({
      confirm: Effect.fnUntraced(function* ({ payload, request }) {
        const { member } = yield* CurrentActor
        const token = request.cookies[cookie]
        if (member === null || token === undefined) return { confirmed_until: null }
        return yield* members.confirm({ member, token }, payload.password).pipe(
          Effect.map((confirmed_until) => ({ confirmed_until })),
          Effect.catchTags({
            FormRefused: ({ message }) => Effect.fail(problem("confirm_password", message)),
            Throttled: ({ retry_after_seconds: seconds }) =>
              Effect.andThen(
                HttpEffect.appendPreResponseHandler((_, response) =>
                  Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
                ),
                problem(
                  "rate_limited",
                  `Too many wrong passwords were given. Wait ${seconds} s and try again.`
                )
              )
          })
        )
      })
    })
  })
)

import { Api, CurrentActor, problem } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { passwordFlaw } from "../crypto/PasswordRules.ts"
import type { Throttled } from "../http/Throttle.ts"
import { Browser } from "./Browser.ts"
import { browserName } from "./browserName.ts"
import { Members } from "./Members.ts"

const tooMany = ({ retry_after_seconds: seconds }: Throttled) =>
  Effect.andThen(
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "retry-after", String(seconds)))
    ),
    problem("rate_limited", `Too many wrong passwords were given. Wait ${seconds} s and try again.`)
  )

export const refused = (path: string, message: string) =>
  problem("invalid_request", [{ path, code: "invalid_value", message }])

export const SessionHttpLayer = HttpApiBuilder.group(
  Api,
  "session",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const browser = yield* Browser
    const session = browser.ownSession
    const signsOut = HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(browser.signedOut(response))
    )
    return handlers.handleAll({
      confirm: Effect.fnUntraced(function* ({ payload }) {
        const own = yield* browser.session
        if ((yield* CurrentActor).member === null || Option.isNone(own)) return { confirmed_until: null }
        return yield* members.confirm(own.value, payload.password).pipe(
          Effect.map((confirmed_until) => ({ confirmed_until })),
          Effect.catchTags({
            FormRefused: ({ message }) => problem("confirm_password", message),
            Throttled: tooMany
          })
        )
      }),
      changePassword: Effect.fnUntraced(function* ({ payload, request }) {
        const { current_password, new_password } = payload
        const flaw = passwordFlaw(new_password)
        if (flaw !== null) return yield* refused("new_password", flaw)
        const renewed = yield* members
          .changePassword(yield* session, current_password, new_password, yield* browser.origin)
          .pipe(
            Effect.catchTags({
              FormRefused: ({ message }) => refused("current_password", message),
              Throttled: tooMany
            })
          )
        yield* HttpEffect.appendPreResponseHandler((_, response) =>
          Effect.provideService(
            browser.signedIn(renewed, response),
            HttpServerRequest.HttpServerRequest,
            request
          )
        )
        return { success: true as const }
      }),
      all: Effect.fnUntraced(function* () {
        const open = yield* members.sessions(yield* session)
        return {
          data: open.map(({ id, isOwn, user_agent, address, new_device, created_at, last_used_at }) => ({
            id,
            current: isOwn,
            device: browserName(user_agent),
            address,
            new_device,
            created_at,
            last_used_at
          }))
        }
      }),
      end: Effect.fnUntraced(function* ({ params: { session_id: id } }) {
        const own = yield* session
        const open = yield* members.sessions(own)
        const one = open.find((other) => other.id === id)
        if (one === undefined) return yield* problem("not_found", `There is no session ${id}.`)
        yield* members.endSession(own.member, id)
        if (one.isOwn) yield* signsOut
        return { success: true as const, id }
      }),
      endAll: Effect.fnUntraced(function* () {
        yield* members.signOutEverywhere((yield* session).member)
        yield* signsOut
        return { success: true as const }
      })
    })
  })
)

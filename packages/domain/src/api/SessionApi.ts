import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, Forbidden, NotFound } from "../Problems.ts"
import {
  ChangePassword,
  ConfirmPassword,
  PasswordConfirmed,
  SessionEnded,
  SessionList,
  SessionsEnded
} from "../Session.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

const shared = { scope: "posts:read", membersOnly: "person_only" } as const

export class SessionApi extends HttpApiGroup.make("session")
  .add(
    // No POST, whose body would be remembered with its Idempotency-Key.
    HttpApiEndpoint.put("confirm", "/session/confirmation", {
      payload: ConfirmPassword,
      success: PasswordConfirmed,
      error: Forbidden
    }).annotateMerge(
      about({
        scope: "posts:read",
        codes: ["confirm_password"],
        summary: "Confirm the password",
        description:
          "For 15 minutes, a signed-in member may then do what is otherwise refused with `confirm_password`: create keys, webhooks and their secrets. " +
          "Keys and apps are never asked for a password; one that they send is ignored."
      })
    ),
    HttpApiEndpoint.put("changePassword", "/session/password", {
      payload: ChangePassword,
      success: SessionsEnded,
      error: BadRequest
    }).annotateMerge(
      about({
        ...shared,
        codes: [],
        summary: "Change the password",
        description: "It ends every session of the member and begins one anew in the browser that asks."
      })
    ),
    HttpApiEndpoint.get("all", "/sessions", { success: SessionList }).annotateMerge(
      about({ ...shared, codes: [], summary: "List where the member is signed in" })
    ),
    HttpApiEndpoint.delete("end", "/sessions/:session_id", {
      params: { session_id: PathId("the session") },
      success: SessionEnded,
      error: NotFound
    }).annotateMerge(
      about({
        ...shared,
        codes: ["not_found"],
        summary: "Sign out of one browser",
        description: "Also the one that asks. Connected apps stay."
      })
    ),
    HttpApiEndpoint.delete("endAll", "/sessions", { success: SessionsEnded }).annotateMerge(
      about({
        ...shared,
        codes: [],
        summary: "Sign out everywhere",
        description: "The browser that asks is signed out too. Connected apps stay."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Session",
      description: "A member who is signed in to the service's pages."
    })
  ) {}

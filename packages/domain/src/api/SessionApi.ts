import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Forbidden } from "../Problems.ts"
import { ConfirmPassword, PasswordConfirmed } from "../Session.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"

export class SessionApi extends HttpApiGroup.make("session")
  .add(
    // No POST, whose body would be remembered with its Idempotency-Key.
    HttpApiEndpoint.put("confirm", "/confirmation", {
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
    )
  )
  .middleware(Authorization)
  .prefix("/session")
  .annotateMerge(
    OpenApi.annotations({
      title: "Session",
      description: "A member who is signed in to the service's pages."
    })
  ) {}

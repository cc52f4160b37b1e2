import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  NotificationAttempt,
  Notifications,
  NotificationsDeleted,
  SetNotifications
} from "../Notifications.ts"
import { NotFound } from "../Problems.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class NotificationsApi extends HttpApiGroup.make("notifications")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Notifications }).annotateMerge(
      about({ scope: "admin", codes: [], summary: "Get where people are told" })
    ),
    HttpApiEndpoint.put("set", "/", { payload: SetNotifications, success: Notifications }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        codes: ["webhook_url_not_allowed"],
        summary: "Set where people are told",
        description:
          "What happens within a minute is one message. Setting anything resumes an address that was paused, and tells what waited."
      })
    ),
    HttpApiEndpoint.delete("delete", "/", { success: NotificationsDeleted }).annotateMerge(
      about({
        scope: "admin",
        codes: [],
        summary: "Tell nobody",
        description: "The address and what waits for it are forgotten."
      })
    ),
    HttpApiEndpoint.post("test", "/test", { success: NotificationAttempt, error: NotFound }).annotateMerge(
      about({
        scope: "admin",
        codes: ["not_found"],
        effect: "none",
        summary: "Send a test message",
        description:
          "Sends one message, now, even to a paused address, and answers with what the receiver said."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/notifications")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Notifications",
      description:
        "One address at which people are told what needs them: Slack, Discord, Mattermost, ntfy or JSON."
    })
  ) {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FreeSlotFilter, FreeSlotList, PutQueue, Queue } from "../Queue.ts"
import { Conflict } from "../Problems.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class QueueApi extends HttpApiGroup.make("queue")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Queue }).annotateMerge(
      about({
        scope: "posts:read",
        codes: [],
        summary: "Get the queue's schedule",
        description:
          "A new workspace has slots from Monday to Friday, 11:00 and 16:00. Without slots there is no queue."
      })
    ),
    HttpApiEndpoint.put("set", "/", { payload: PutQueue, success: Queue, error: Conflict }).annotateMerge(
      about({
        scope: "posts:write",
        codes: ["account_not_allowed", "approval_needed"],
        summary: "Set the queue's schedule",
        description:
          "Replaces the whole schedule; `slots: []` turns the queue off. Posts that hold a slot keep their times. It belongs to the whole " +
          "workspace: a credential for some accounts cannot change it, nor an app that is held for approval."
      })
    ),
    HttpApiEndpoint.get("slots", "/slots", {
      query: FreeSlotFilter,
      success: FreeSlotList
    }).annotateMerge(
      about({
        scope: "posts:read",
        codes: ["queue_not_configured"],
        summary: "List the next free slots",
        description: "Within the next 90 days, soonest first. These times do not include the queue's jitter."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/queue")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Queue",
      description: "Weekly times at which posts with `use_queue` go out, one post each."
    })
  ) {}

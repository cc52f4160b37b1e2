import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { FreeSlotFilter, FreeSlotList, PutQueue, Queue } from "../Queue.ts"
import { Conflict } from "../Problems.ts"
import { Authorization, NeededScope } from "./Authorization.ts"
import { PossibleCodes } from "./PossibleCodes.ts"

export class QueueApi extends HttpApiGroup.make("queue")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Queue })
      .annotate(NeededScope, "posts:read")
      .annotate(PossibleCodes, [])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get the queue's schedule",
          description:
            "A new workspace has slots from Monday to Friday, 11:00 and 16:00. Without slots there is no queue."
        })
      ),
    HttpApiEndpoint.put("set", "/", { payload: PutQueue, success: Queue, error: Conflict })
      .annotate(NeededScope, "posts:write")
      .annotate(PossibleCodes, ["account_not_allowed", "approval_needed"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Set the queue's schedule",
          description:
            "Replaces the whole schedule; `slots: []` turns the queue off. Posts that hold a slot keep their times. It belongs to the whole " +
            "workspace: a credential for some accounts cannot change it, nor an app that is held for approval."
        })
      ),
    HttpApiEndpoint.get("slots", "/slots", {
      query: FreeSlotFilter,
      success: FreeSlotList
    })
      .annotate(NeededScope, "posts:read")
      .annotate(PossibleCodes, ["queue_not_configured"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the next free slots",
          description:
            "Within the next 90 days, soonest first. These times do not include the queue's jitter."
        })
      )
  )
  .middleware(Authorization)
  .prefix("/queue")
  .annotateMerge(
    OpenApi.annotations({
      title: "Queue",
      description: "Weekly times at which posts with `use_queue` go out, one post each."
    })
  ) {}

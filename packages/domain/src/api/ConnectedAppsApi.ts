import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  ConnectedApp,
  ConnectedAppDisconnected,
  ConnectedAppList,
  UpdateConnectedApp
} from "../ConnectedApp.ts"
import { BadRequest, NotFound } from "../Problems.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

const params = { connected_app_id: PathId("the connected app") }
const shared = { scope: "posts:read", membersOnly: "person_only" } as const

export class ConnectedAppsApi extends HttpApiGroup.make("connectedApps")
  .add(
    HttpApiEndpoint.get("all", "/", { success: ConnectedAppList }).annotateMerge(
      about({ ...shared, codes: [], summary: "List the connected apps" })
    ),
    HttpApiEndpoint.patch("update", "/:connected_app_id", {
      params,
      payload: UpdateConnectedApp,
      success: ConnectedApp,
      error: [BadRequest, NotFound]
    }).annotateMerge(
      about({
        ...shared,
        codes: ["not_found", "social_account_not_found"],
        summary: "Change what an app may do",
        description: "It applies from the app's next request."
      })
    ),
    HttpApiEndpoint.delete("disconnect", "/:connected_app_id", {
      params,
      success: ConnectedAppDisconnected,
      error: NotFound
    }).annotateMerge(
      about({
        ...shared,
        codes: ["not_found"],
        summary: "Disconnect an app",
        description: "It loses its access at once. Posts that it scheduled stay."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/connected-apps")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Connected apps",
      description: "The apps that the signed-in member connected to the workspace."
    })
  ) {}

import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CreateWorkspace, NewWorkspace, WorkspaceFilter, WorkspaceList } from "../Profile.ts"
import { Authorization, NeededScope, NeedsPassword } from "./Authorization.ts"
import { PossibleCodes } from "./PossibleCodes.ts"

export class WorkspacesApi extends HttpApiGroup.make("workspaces")
  .add(
    HttpApiEndpoint.get("list", "/", { query: WorkspaceFilter, success: WorkspaceList })
      .annotate(NeededScope, "admin")
      .annotate(PossibleCodes, ["default_workspace_only"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "List workspaces",
          description: "Newest first. For admin keys of the default workspace only."
        })
      ),
    HttpApiEndpoint.post("create", "/", {
      payload: CreateWorkspace,
      success: NewWorkspace.pipe(HttpApiSchema.status(201))
    })
      .annotate(NeededScope, "admin")
      .annotate(NeedsPassword, true)
      .annotate(PossibleCodes, ["default_workspace_only"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a workspace",
          description:
            "With its first API key, which is shown in this answer only. For admin keys of the default workspace only."
        })
      )
  )
  .middleware(Authorization)
  .prefix("/workspaces")
  .annotateMerge(
    OpenApi.annotations({
      title: "Workspaces",
      description: "Separate sets of accounts, media, posts and keys on this instance."
    })
  ) {}

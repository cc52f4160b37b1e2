import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CreateWorkspace, NewWorkspace, WorkspaceFilter, WorkspaceList } from "../Profile.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class WorkspacesApi extends HttpApiGroup.make("workspaces")
  .add(
    HttpApiEndpoint.get("list", "/", { query: WorkspaceFilter, success: WorkspaceList }).annotateMerge(
      about({
        scope: "admin",
        instance: true,
        codes: [],
        summary: "List workspaces",
        description: "Newest first. For owners, and admin keys of the default workspace."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CreateWorkspace,
      success: NewWorkspace.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        instance: true,
        codes: [],
        summary: "Make a workspace",
        description:
          "With its first API key, which is shown in this answer only. For owners, and admin keys of the default workspace."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/workspaces")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Workspaces",
      description: "Separate sets of accounts, media, posts and keys on this instance."
    })
  ) {}

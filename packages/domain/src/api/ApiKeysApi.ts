import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, NotFound } from "../Problems.ts"
import { ApiKeyDeleted, ApiKeyFilter, ApiKeyList, CreateApiKey, NewApiKey } from "../Profile.ts"
import { Authorization, NeededScope, NeedsPassword } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { PossibleCodes } from "./PossibleCodes.ts"

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/", { query: ApiKeyFilter, success: ApiKeyList })
      .annotate(NeededScope, "admin")
      .annotate(PossibleCodes, [])
      .annotateMerge(OpenApi.annotations({ summary: "List API keys" })),
    HttpApiEndpoint.post("create", "/", {
      payload: CreateApiKey,
      success: NewApiKey.pipe(HttpApiSchema.status(201))
    })
      .annotate(NeededScope, "admin")
      .annotate(NeedsPassword, true)
      .annotate(PossibleCodes, ["social_account_not_found"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an API key",
          description: "The key is shown in this answer only."
        })
      ),
    HttpApiEndpoint.delete("delete", "/:key_id", {
      params: { key_id: PathId("the API key") },
      success: ApiKeyDeleted,
      error: [NotFound, Conflict]
    })
      .annotate(NeededScope, "admin")
      .annotate(PossibleCodes, ["not_found", "key_in_use"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete an API key",
          description:
            "It stops working at once; where several processes share the database, within a second."
        })
      )
  )
  .middleware(Authorization)
  .prefix("/api-keys")
  .annotateMerge(OpenApi.annotations({ title: "API keys", description: "Credentials of this workspace." })) {}

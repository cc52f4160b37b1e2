import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, NotFound } from "../Problems.ts"
import { ApiKeyDeleted, ApiKeyFilter, ApiKeyList, CreateApiKey, NewApiKey } from "../Profile.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.get("list", "/", { query: ApiKeyFilter, success: ApiKeyList }).annotateMerge(
      about({ scope: "admin", codes: [], summary: "List API keys" })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: CreateApiKey,
      success: NewApiKey.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        codes: ["social_account_not_found"],
        summary: "Create an API key",
        description: "The key is shown in this answer only."
      })
    ),
    HttpApiEndpoint.delete("delete", "/:key_id", {
      params: { key_id: PathId("the API key") },
      success: ApiKeyDeleted,
      error: [NotFound, Conflict]
    }).annotateMerge(
      about({
        scope: "admin",
        codes: ["not_found", "key_in_use"],
        summary: "Delete an API key",
        description: "It stops working at once; where several processes share the database, within a second."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/api-keys")
  .middleware(RequestProblems)
  .annotateMerge(OpenApi.annotations({ title: "API keys", description: "Credentials of this workspace." })) {}

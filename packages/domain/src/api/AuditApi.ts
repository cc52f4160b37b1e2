import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AuditEntryList, AuditFilter } from "../Audit.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/", { query: AuditFilter, success: AuditEntryList }).annotateMerge(
      about({
        scope: "admin",
        codes: [],
        summary: "List who did what",
        description:
          "Newest first, of the last year: sign-ins, members, connected apps, keys, accounts and webhooks of the " +
          "workspace. Sign-ins, the owner's links and new workspaces are in the default workspace's."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/audit")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Audit",
      description: "A record of sign-ins and of changes to who may do what."
    })
  ) {}

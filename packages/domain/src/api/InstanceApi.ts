import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { InstanceChecks } from "../Finding.ts"
import { Instance } from "../Instance.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class InstanceApi extends HttpApiGroup.make("instance")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Instance }).annotateMerge(
      about({
        scope: "posts:read",
        codes: [],
        summary: "Get what the instance can do",
        description:
          "The platforms that can be connected, the limits on file sizes, and whether videos are converted."
      })
    ),
    HttpApiEndpoint.get("checks", "/checks", { success: InstanceChecks }).annotateMerge(
      about({
        scope: "admin",
        instance: true,
        codes: [],
        summary: "Check what the instance depends on",
        description:
          "What `npm run doctor` checks, except an upload. It may take seconds. For owners, and admin keys of the default workspace."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/instance")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({ title: "Instance", description: "What the operator of this service has set up." })
  ) {}

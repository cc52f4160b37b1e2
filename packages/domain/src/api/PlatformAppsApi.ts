import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  PlatformApp,
  PlatformAppList,
  PlatformAppRemoved,
  PlatformAppTest,
  SetPlatformApp,
  TestPlatformApp
} from "../PlatformApp.ts"
import { platformAppNames } from "../platforms/PlatformApps.ts"
import { BadRequest, Conflict, NotFound } from "../Problems.ts"
import { Authorization, NeededScope, NeedsPassword } from "./Authorization.ts"
import { PostEffect } from "./Idempotency.ts"
import { PathId } from "./PathId.ts"
import { PossibleCodes } from "./PossibleCodes.ts"

const params = { app: PathId(`the app: ${platformAppNames.map((name) => `\`${name}\``).join(", ")}`) }

export class PlatformAppsApi extends HttpApiGroup.make("platformApps")
  .add(
    HttpApiEndpoint.get("all", "/", { success: PlatformAppList })
      .annotate(NeededScope, "admin")
      .annotate(PossibleCodes, ["default_workspace_only"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the platforms' apps",
          description:
            "Every app that the service can use, with where it comes from; never its secret. For owners, and admin keys of the default workspace."
        })
      ),
    HttpApiEndpoint.put("set", "/:app", {
      params,
      payload: SetPlatformApp,
      success: PlatformApp,
      error: [NotFound, Conflict]
    })
      .annotate(NeededScope, "admin")
      .annotate(NeedsPassword, true)
      .annotate(PossibleCodes, ["default_workspace_only", "not_found", "set_by_environment"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Set a platform's app",
          description:
            "Its id and secret, as the platform shows them. They take effect at once, in every process; the secret is stored encrypted. " +
            "Accounts connected through another app must be reconnected; `accounts` in the list says how many."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:app", {
      params,
      success: PlatformAppRemoved,
      error: NotFound
    })
      .annotate(NeededScope, "admin")
      .annotate(NeedsPassword, true)
      .annotate(PossibleCodes, ["default_workspace_only", "not_found"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Forget a platform's app",
          description:
            "Accounts connected through it must be reconnected. An app from the environment is not affected."
        })
      ),
    HttpApiEndpoint.post("test", "/:app/test", {
      params,
      payload: TestPlatformApp,
      success: PlatformAppTest,
      error: [NotFound, BadRequest]
    })
      .annotate(NeededScope, "admin")
      .annotate(PossibleCodes, ["default_workspace_only", "not_found"])
      // Nothing is changed; the body, which may hold a secret, is not to be remembered.
      .annotate(PostEffect, "none")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Test a platform's app",
          description:
            "Asks the platform whether the id and the secret are valid, without an account. Whether the redirect address is entered there " +
            "and the app may publish becomes clear only when an account is connected."
        })
      )
  )
  .middleware(Authorization)
  .prefix("/platform-apps")
  .annotateMerge(
    OpenApi.annotations({
      title: "Platform apps",
      description: "The operator's own apps, on the platforms that require one."
    })
  ) {}

import { Schema } from "effect"
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
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

const params = {
  app: Schema.String.annotate({
    description: `The name of the app, one of ${platformAppNames.map((name) => `\`${name}\``).join(", ")}; 404 for any other.`
  })
}

export class PlatformAppsApi extends HttpApiGroup.make("platformApps")
  .add(
    HttpApiEndpoint.get("all", "/", { success: PlatformAppList }).annotateMerge(
      about({
        scope: "admin",
        instance: true,
        codes: [],
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
    }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        instance: true,
        codes: ["not_found", "set_by_environment"],
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
    }).annotateMerge(
      about({
        scope: "admin",
        password: true,
        instance: true,
        codes: ["not_found"],
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
    }).annotateMerge(
      about({
        scope: "admin",
        instance: true,
        codes: ["not_found"],
        // Nothing is changed; the body, which may hold a secret, is not to be remembered.
        effect: "none",
        summary: "Test a platform's app",
        description:
          "Asks the platform whether the id and the secret are valid, without an account. Whether the redirect address is entered there " +
          "and the app may publish becomes clear only when an account is connected."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/platform-apps")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Platform apps",
      description: "The operator's own apps, on the platforms that require one."
    })
  ) {}

import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Profile, UpdateProfile } from "../Profile.ts"
import { Authorization, NeededScope } from "./Authorization.ts"
import { PossibleCodes } from "./PossibleCodes.ts"

export class ProfileApi extends HttpApiGroup.make("profile")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Profile })
      .annotate(NeededScope, "posts:read")
      .annotate(PossibleCodes, [])
      .annotateMerge(OpenApi.annotations({ summary: "Get the profile of this key's workspace" })),
    HttpApiEndpoint.patch("update", "/", { payload: UpdateProfile, success: Profile })
      .annotate(NeededScope, "admin")
      .annotate(PossibleCodes, [])
      .annotateMerge(
        OpenApi.annotations({ summary: "Change the profile's name, time zone or limit for late posts" })
      )
  )
  .middleware(Authorization)
  .prefix("/profile")
  .annotateMerge(
    OpenApi.annotations({ title: "Profile", description: "The workspace and its time zone." })
  ) {}

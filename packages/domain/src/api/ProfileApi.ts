import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Profile, UpdateProfile } from "../Profile.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { RequestProblems } from "./RequestProblems.ts"

export class ProfileApi extends HttpApiGroup.make("profile")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Profile }).annotateMerge(
      about({ scope: "posts:read", codes: [], summary: "Get the profile of this key's workspace" })
    ),
    HttpApiEndpoint.patch("update", "/", { payload: UpdateProfile, success: Profile }).annotateMerge(
      about({
        scope: "admin",
        codes: [],
        summary: "Change the profile's name, time zone or limit for late posts"
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/profile")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({ title: "Profile", description: "The workspace and its time zone." })
  ) {}

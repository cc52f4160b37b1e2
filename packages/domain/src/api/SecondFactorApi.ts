import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, NotFound } from "../Problems.ts"
import {
  AddPasskey,
  ConfirmWithPasskey,
  Passkey,
  PasskeyDeleted,
  PasskeyOptions,
  RecoveryCodes,
  SecondFactor,
  SetTotp,
  TotpDeleted,
  TotpSecret
} from "../SecondFactor.ts"
import { PasswordConfirmed } from "../Session.ts"
import { about } from "./About.ts"
import { Authorization } from "./Authorization.ts"
import { PathId } from "./PathId.ts"
import { RequestProblems } from "./RequestProblems.ts"

const reads = { scope: "posts:read", membersOnly: "person_only" } as const
const changes = { ...reads, password: true } as const

export class SecondFactorApi extends HttpApiGroup.make("secondFactor")
  .add(
    HttpApiEndpoint.get("get", "/second-factor", { success: SecondFactor }).annotateMerge(
      about({ ...reads, codes: [], summary: "Get what the member signs in with beside the password" })
    ),
    HttpApiEndpoint.post("makeTotpSecret", "/totp", { success: TotpSecret }).annotateMerge(
      about({
        ...changes,
        codes: [],
        effect: "none",
        summary: "Make a secret for an authenticator app",
        description: "Nothing is stored: the secret counts once a code of the app has confirmed it."
      })
    ),
    HttpApiEndpoint.put("setTotp", "/totp", {
      payload: SetTotp,
      success: RecoveryCodes,
      error: BadRequest
    }).annotateMerge(
      about({
        ...changes,
        codes: [],
        summary: "Ask for a code at the sign-in",
        description:
          "From now on the sign-in asks for a code after the password. Another app and its recovery codes are replaced."
      })
    ),
    HttpApiEndpoint.delete("deleteTotp", "/totp", { success: TotpDeleted, error: NotFound }).annotateMerge(
      about({
        ...changes,
        codes: ["not_found"],
        summary: "Ask for no code any more",
        description: "The recovery codes end with it."
      })
    ),
    HttpApiEndpoint.put("replaceRecoveryCodes", "/recovery-codes", {
      success: RecoveryCodes,
      error: NotFound
    }).annotateMerge(about({ ...changes, codes: ["not_found"], summary: "Replace the recovery codes" })),
    HttpApiEndpoint.post("passkeyOptions", "/passkeys/options", {
      success: PasskeyOptions,
      error: BadRequest
    }).annotateMerge(
      about({
        ...reads,
        codes: [],
        effect: "none",
        summary: "Begin to add a passkey, or to confirm with one",
        description: "The challenge belongs to this session, lasts five minutes, and is good for one answer."
      })
    ),
    HttpApiEndpoint.post("addPasskey", "/passkeys", {
      payload: AddPasskey,
      success: Passkey.pipe(HttpApiSchema.status(201)),
      error: BadRequest
    }).annotateMerge(about({ ...changes, codes: [], effect: "none", summary: "Add a passkey" })),
    HttpApiEndpoint.delete("deletePasskey", "/passkeys/:passkey_id", {
      params: { passkey_id: PathId("the passkey") },
      success: PasskeyDeleted,
      error: NotFound
    }).annotateMerge(about({ ...changes, codes: ["not_found"], summary: "Remove a passkey" })),
    HttpApiEndpoint.put("confirmWithPasskey", "/confirmation/passkey", {
      payload: ConfirmWithPasskey,
      success: PasswordConfirmed,
      error: BadRequest
    }).annotateMerge(
      about({
        ...reads,
        codes: [],
        summary: "Confirm with a passkey",
        description: "It counts as the password does, for 15 minutes."
      })
    )
  )
  .middleware(Authorization)
  .prefix("/v1/session")
  .middleware(RequestProblems)
  .annotateMerge(
    OpenApi.annotations({
      title: "Second factor",
      description:
        "What the signed-in member signs in with beside the password: an authenticator app, and passkeys."
    })
  ) {}

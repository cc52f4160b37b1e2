import { Option, Schema } from "effect"
import type { PublishError } from "../Platform.ts"
import { type Refusal, refusedByStatus, type Refused } from "../PlatformHttp.ts"

const words = Schema.optionalKey(Schema.NullOr(Schema.String))
const one = {
  type: words,
  title: words,
  detail: words,
  message: words,
  status: Schema.optionalKey(Schema.NullOr(Schema.Int))
}
const Problem = Schema.Struct({
  ...one,
  errors: Schema.optionalKey(Schema.Array(Schema.Struct(one))),
  /** Of the token endpoint (RFC 6749). */
  error: words,
  error_description: words
})
const decodeProblem = Schema.decodeUnknownOption(Problem)

interface Said {
  /** The end of the problem's `type`, such as `client-forbidden`. */
  readonly kind: string
  readonly sentence: string
  /** All words in lower case. */
  readonly all: string
}

const said = (body: unknown): Said =>
  Option.match(decodeProblem(body), {
    onNone: () => ({ kind: "", sentence: "", all: "" }),
    onSome: ({ errors = [], ...problem }) => {
      const [first] = errors
      const type = problem.type ?? first?.type ?? ""
      const sentences = [
        problem.error_description,
        ...errors.flatMap(({ message, detail }) => [message, detail]),
        problem.detail,
        problem.message,
        problem.title,
        problem.error
      ].filter((text) => text != null && text !== "")
      return {
        kind: /\/problems\/([\w-]+)$/.exec(type)?.[1] ?? "",
        sentence: sentences[0] ?? "",
        all: [type, ...sentences].join("\n").toLowerCase()
      }
    }
  })

/** The code of a refusal because the account has said the same already. */
export const duplicatePost = "duplicate_content"
/** The code of a refusal that names no reason: the text or the video may be longer than the account may post. */
export const notPermitted = "not_permitted"

const dailyLimit = "daily_limit"

/** X accepts no call of the app any more, whoever's account it is for. */
export const isCapped = ({ class: errorClass, code }: Pick<PublishError, "class" | "code">) =>
  errorClass === "quota_exhausted" && code !== dailyLimit

const capped = /usage-capped|credit|spend(?:ing)? (?:cap|limit)|usage cap|payment required/

/** A cap of the app comes with the status of a rate limit, too, and ends later. */
export const statusIn = (body: unknown): number | undefined =>
  said(body).kind === "usage-capped" ? 402 : undefined

/** The status of errors that stand alone beside a status of success. */
export const statusBeside = (body: unknown): number =>
  Option.getOrUndefined(decodeProblem(body))?.errors?.[0]?.status ?? 403

/** https://docs.x.com/x-api/fundamentals/response-codes-and-errors. Where one type means several things, its words decide. */
export const refuse = ({ status, body }: Refusal): Refused => {
  const { all, kind, sentence } = said(body)
  const as = (
    errorClass: PublishError["class"],
    advice: string,
    code = kind === "" ? `http_${status}` : kind
  ): Refused => ({
    class: errorClass,
    code,
    message: sentence === "" ? advice : `${advice} X says "${sentence}"`
  })
  const about = (pattern: RegExp) => pattern.test(all)

  if (status === 402 || (status === 403 && about(capped))) {
    return as(
      "quota_exhausted",
      "X accepts no more calls of this instance's app: its credits or its spending limit are used up. The operator can add credits at https://console.x.com; Carillon will try again.",
      kind === "" ? "credits_exhausted" : kind
    )
  }
  switch (status) {
    case 401:
      return {
        ...as("reconnect", "X no longer accepts the account's token. Connect the account again."),
        token_expired: true
      }
    case 400:
      return about(/media.?ids? (?:are|is) invalid|invalid media/)
        ? {
            ...as(
              "transient",
              "X no longer has a file of this post, and posted nothing. Carillon will send it again.",
              "media_gone"
            ),
            discard_handle: true
          }
        : as("invalid", "X rejected the post. Change its content or options.")
    case 403:
      break
    default:
      return refusedByStatus(
        "X",
        status,
        sentence === "" ? undefined : { code: kind || `http_${status}`, message: sentence }
      )
  }
  if (about(/duplicate content/)) {
    return as("invalid", "The account has posted the same text on X already. Change the text.", duplicatePost)
  }
  if (about(/client-forbidden|client-not-enrolled|unsupported.authentication|oauth1 app permissions/)) {
    return as(
      "config",
      "X does not let this instance's app do this. The operator should compare the app's settings with docs/platforms/twitter.md."
    )
  }
  if (about(/cashtag/)) return as("invalid", "X takes one cashtag in a post. Leave the others out.")
  if (about(/video longer than/)) {
    return as(
      "media_rejected",
      "The video is longer than X allows the account. Shorten it, or subscribe to X Premium."
    )
  }
  if (about(/daily (?:status update )?limit|daily limit/)) {
    return as(
      "quota_exhausted",
      "X accepts no more posts from this account today. Carillon will try again.",
      dailyLimit
    )
  }
  if (about(/deleted or not visible/)) {
    return as(
      "invalid",
      "X cannot find the post that this item replies to; it may have been deleted. Publish the missing items as a separate post.",
      "parent_gone"
    )
  }
  if (about(/suspended/)) return as("forbidden", "X has suspended the account. Check it on X.")
  if (about(/locked/)) return as("forbidden", "X has locked the account. Sign in to X and unlock it.")
  if (about(/repl(?:y|ies)/)) {
    return as(
      "forbidden",
      "X does not let this instance's app reply here. Publish the missing items of the thread on X, or as separate posts.",
      "reply_not_allowed"
    )
  }
  if (about(/not permitted to perform this action/)) {
    return as("forbidden", "X does not allow the account to do this. Check the account on X.", notPermitted)
  }
  return as("forbidden", "X does not allow the account or the app to do this. Check the account on X.")
}

/** An upload that X does not know any more begins anew. Nothing is posted before all files are there. */
export const refuseUpload = (refusal: Refusal): Refused => {
  const { all, sentence } = said(refusal.body)
  if (refusal.status === 404 || (refusal.status === 400 && /expired|not found|invalid media.?id/.test(all))) {
    return {
      class: "transient",
      code: "upload_lost",
      message: "X lost the upload, or it expired. Nothing was posted. Carillon will send the file again.",
      discard_handle: true
    }
  }
  return refusal.status === 400 &&
    /media.?type|unsupported|too large|exceed|file size|dimension|duration/.test(all)
    ? { class: "media_rejected", code: "media_rejected", message: `X does not take the file: "${sentence}"` }
    : refuse(refusal)
}

/** The token endpoint names the part of a request that is wrong in words alone. */
export const refuseTokens = (refusal: Refusal): Refused => {
  const { all, sentence } = said(refusal.body)
  if (refusal.status === 401 || /invalid_client|unauthorized_client/.test(all)) {
    return {
      class: "config",
      code: "invalid_client",
      message: `X rejected this instance's app. Compare its client ID, its secret and its callback URI with the app at https://console.x.com.${sentence === "" ? "" : ` X says "${sentence}"`}`
    }
  }
  return refusal.status === 400 && /invalid_grant|\btoken\b|\bcode\b/.test(all)
    ? {
        class: "reconnect",
        code: "invalid_grant",
        message:
          "X no longer accepts the account's authorization: it was revoked, has expired, or was used already. Connect the account again."
      }
    : refuse(refusal)
}

import { type ErrorClass, type PlacementRules, type PlatformId, platformRules } from "@carillon/domain"
import { refuseDiscord } from "@carillon/server/platforms/discord/DiscordErrors"
import {
  refuseCommit,
  refuseGraph as refuseFacebook
} from "@carillon/server/platforms/facebook/FacebookErrors"
import { refuseContainer, refuseGraph } from "@carillon/server/platforms/instagram/GraphErrors"
import { refuseOfAccount } from "@carillon/server/platforms/meta/GraphErrors"
import { refuseApi as refusePinterest } from "@carillon/server/platforms/pinterest/PinterestErrors"
import { refuseTelegram } from "@carillon/server/platforms/telegram/TelegramErrors"
import {
  refuseContainer as refuseContainerOfThreads,
  refuseThreads
} from "@carillon/server/platforms/threads/ThreadsErrors"
import { failed, refuse as refuseTikTok } from "@carillon/server/platforms/tiktok/TikTokErrors"
import {
  refuse as refuseX,
  refuseTokens as refuseTokensOfX,
  refuseUpload as refuseUploadOfX
} from "@carillon/server/platforms/twitter/TwitterErrors"
import { refuseApi as refuseYouTube } from "@carillon/server/platforms/youtube/YouTubeErrors"
import { assert, describe, test } from "@effect/vitest"

// https://developers.tiktok.com/doc/content-posting-api-reference-direct-post and its pages on photos, on the creator, and on
// `status/fetch`; that a refusal comes with status 200 too is what clients report.
describe("the meaning of an error of TikTok", () => {
  test.each([
    ["access_token_invalid", 401, "reconnect"],
    ["scope_not_authorized", 401, "reconnect"],
    ["scope_permission_missed", 401, "reconnect"],
    ["rate_limit_exceeded", 200, "rate_limited"],
    ["spam_risk_too_many_posts", 403, "quota_exhausted"],
    ["spam_risk_too_many_posts", 200, "quota_exhausted"],
    ["spam_risk_too_many_pending_share", 403, "quota_exhausted"],
    ["reached_active_user_cap", 403, "quota_exhausted"],
    ["spam_risk_user_banned_from_posting", 403, "forbidden"],
    ["spam_risk", 403, "forbidden"],
    ["spam_risk_text", 403, "forbidden"],
    ["unaudited_client_can_only_post_to_private_accounts", 403, "config"],
    ["url_ownership_unverified", 403, "config"],
    ["privacy_level_option_mismatch", 403, "invalid"],
    ["invalid_param", 400, "invalid"],
    ["app_version_check_failed", 400, "invalid"],
    ["something_new", 400, "invalid"]
  ] satisfies ReadonlyArray<readonly [string, number, ErrorClass]>)(
    "%s with status %i is %s",
    (code, status, expected) => {
      const refused = refuseTikTok({ status, body: { error: { code, message: "In its own words." } } })
      assert.deepInclude(refused, { class: expected, code })
      assert.strictEqual(refused.token_expired ?? false, code === "access_token_invalid")
      assert.match(refused.message, /^[A-Z].+\.$/)
    }
  )

  test.each([
    ["invalid_grant", 200, "reconnect"],
    ["invalid_client", 401, "config"]
  ] satisfies ReadonlyArray<readonly [string, number, ErrorClass]>)(
    "%s of its token endpoint with status %i is %s",
    (error, status, expected) => {
      assert.deepInclude(refuseTikTok({ status, body: { error } }), { class: expected, code: error })
    }
  )

  test.each([
    ["file_format_check_failed", "media_rejected"],
    ["duration_check_failed", "media_rejected"],
    ["frame_rate_check_failed", "media_rejected"],
    ["picture_size_check_failed", "media_rejected"],
    ["video_pull_failed", "media_unreachable"],
    ["photo_pull_failed", "media_unreachable"],
    ["internal", "transient"],
    ["auth_removed", "reconnect"],
    ["publish_cancelled", "forbidden"],
    ["spam_risk_text", "forbidden"]
  ] satisfies ReadonlyArray<readonly [string, ErrorClass]>)(
    "%s of a post that it gives up is %s, and the post begins anew",
    (reason, expected) => {
      assert.deepInclude(failed(reason), { class: expected, code: reason, discard_handle: true })
    }
  )
})

// https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes and
// https://developers.facebook.com/docs/graph-api/guides/error-handling; 2207077 is in neither, and clients report it.
describe("the meaning of an error of Instagram", () => {
  test.each([
    ["9004/2207052", "media_unreachable", true],
    ["36003/2207009", "media_rejected", true],
    ["36004/2207010", "invalid", true],
    ["100/2207081", "forbidden", false],
    ["4/2207051", "forbidden", false],
    ["25/2207050", "forbidden", false],
    ["368", "forbidden", false],
    ["10", "forbidden", false],
    ["200", "forbidden", false],
    ["4", "rate_limited", false],
    ["613", "rate_limited", false],
    ["80001", "rate_limited", false],
    ["80002", "rate_limited", false],
    ["-1/2207001", "transient", false],
    ["2", "transient", false],
    ["-2/2207020", "transient", true],
    ["100", "invalid", false],
    ["190/460", "reconnect", false]
  ] satisfies ReadonlyArray<readonly [string, ErrorClass, boolean]>)(
    "%s is %s, and its container of no use any more: %s",
    (said, expected, discard) => {
      const [code, error_subcode] = said.split("/").map(Number)
      const error = { message: "By script.", code, ...(error_subcode === undefined ? {} : { error_subcode }) }
      const refused = refuseGraph({ status: 400, body: { error } })
      assert.deepInclude(refused, { class: expected, code: said })
      assert.strictEqual(refused.discard_handle ?? false, discard)
      assert.strictEqual(refused.token_expired ?? false, expected === "reconnect")
    }
  )

  test.each([
    [2207010, ({ caption: { max, max_hashtags, max_mentions } }) => [max, max_hashtags, max_mentions]],
    [2207004, ({ images }) => [(images?.max_bytes ?? 0) / 1_000_000]],
    [2207009, ({ images }) => [images?.max_ratio]],
    [2207028, ({ min_count, max_count }) => [min_count, max_count]]
  ] satisfies ReadonlyArray<
    readonly [number, (carousel: PlacementRules) => ReadonlyArray<number | undefined>]
  >)("%s names the limits that a post is checked against", (error_subcode, limitsOf) => {
    const { message } = refuseGraph({
      status: 400,
      body: { error: { message: "By script.", code: 100, error_subcode } }
    })
    for (const limit of limitsOf(platformRules.instagram.placements[1]!))
      assert.include(message.match(/\d+(\.\d+)?/g) ?? [], String(limit))
  })

  test.each([
    ["Error: 2207026", "media_rejected"],
    ["Error: 2207052", "media_unreachable"],
    ["Error: 2207077", "media_unreachable"],
    ["Error: 2207032", "transient"],
    ["Error: 2207053", "transient"],
    ["Error: something else", "media_rejected"]
  ] satisfies ReadonlyArray<readonly [string, ErrorClass]>)(
    "%s of a container is %s, and it is made anew",
    (status, expected) => {
      assert.deepInclude(refuseContainer(status), { class: expected, discard_handle: true })
    }
  )
})

describe("an Instagram account that is out of reach", () => {
  const refused = (id: string) =>
    refuseOfAccount(
      "Instagram",
      "17841400000000001",
      refuseGraph
    )({
      status: 400,
      body: {
        error: {
          message: `Unsupported get request. Object with ID '${id}' does not exist.`,
          code: 100,
          error_subcode: 33
        }
      }
    })

  test("an Instagram account that is out of reach has to be connected again, and what else does not exist is wrong", () => {
    assert.strictEqual(refused("17841400000000001").class, "reconnect")
    assert.strictEqual(refused("17900000000000002").class, "invalid")
  })
})

// https://developers.facebook.com/documentation/threads/troubleshooting; clients report the codes, of which Threads has no list.
describe("the meaning of an error of Threads", () => {
  test.each([
    ["24/4279009", "By script.", "transient", true],
    ["100/4279013", "By script.", "forbidden", false],
    ["100/4279071", "By script.", "invalid", false],
    ["4/2207051", "By script.", "forbidden", false],
    ["9/2207042", "By script.", "quota_exhausted", false],
    ["100", "THREADS_API__LINK_LIMIT_EXCEEDED", "invalid", false],
    ["100", "Param text must be at most 500 characters long.", "invalid", false],
    ["100", "The media could not be fetched from this URI.", "media_unreachable", true],
    ["10", "By script.", "forbidden", false],
    ["4", "By script.", "rate_limited", false],
    ["1", "By script.", "transient", false],
    ["100", "By script.", "invalid", false],
    ["190/463", "By script.", "reconnect", false]
  ] satisfies ReadonlyArray<readonly [string, string, ErrorClass, boolean]>)(
    "%s %s is %s, and its container of no use any more: %s",
    (said, message, expected, discard) => {
      const [code, error_subcode] = said.split("/").map(Number)
      const error = { message, code, ...(error_subcode === undefined ? {} : { error_subcode }) }
      const refused = refuseThreads({ status: 400, body: { error } })
      assert.deepInclude(refused, { class: expected, code: said })
      assert.strictEqual(refused.discard_handle ?? false, discard)
      assert.strictEqual(refused.token_expired ?? false, expected === "reconnect")
      assert.match(refused.message, /^[A-Z].+\.$/)
    }
  )

  test.each([
    ["FAILED_DOWNLOADING_VIDEO", "media_unreachable"],
    ["FAILED_PROCESSING_AUDIO", "media_rejected"],
    ["FAILED_PROCESSING_VIDEO", "media_rejected"],
    ["INVALID_ASPEC_RATIO", "media_rejected"],
    ["INVALID_BIT_RATE", "media_rejected"],
    ["INVALID_DURATION", "media_rejected"],
    ["INVALID_FRAME_RATE", "media_rejected"],
    ["INVALID_AUDIO_CHANNELS", "media_rejected"],
    ["INVALID_AUDIO_CHANNEL_LAYOUT", "media_rejected"],
    ["The media could not be fetched from this URI", "media_unreachable"],
    ["UNKNOWN", "transient"]
  ] satisfies ReadonlyArray<readonly [string, ErrorClass]>)("%s of a container is %s", (said, expected) => {
    assert.deepInclude(refuseContainerOfThreads(said), { class: expected, discard_handle: true })
  })
})

// https://developers.facebook.com/docs/graph-api/guides/error-handling; the codes of seven digits are those that publishers report.
describe("the meaning of an error of Facebook", () => {
  const errorOf = (said: string, message = "By script.") => {
    const [code, error_subcode] = said.split("/").map(Number)
    return {
      status: 400,
      body: { error: { message, code, ...(error_subcode === undefined ? {} : { error_subcode }) } }
    }
  }

  test.each([
    ["190/463", "reconnect", "reconnect", ""],
    [
      "200",
      "reconnect",
      "reconnect",
      "(#200) Unpublished posts must be posted to a page as the page itself."
    ],
    ["10", "forbidden", "forbidden", ""],
    ["200", "forbidden", "forbidden", ""],
    ["100", "forbidden", "forbidden", "(#100) No permission to publish the video"],
    ["368", "forbidden", "forbidden", ""],
    ["368/1390008", "rate_limited", "rate_limited", ""],
    ["4", "rate_limited", "rate_limited", ""],
    ["32", "rate_limited", "rate_limited", ""],
    ["80001", "rate_limited", "rate_limited", ""],
    ["1", "transient", "ambiguous", ""],
    ["100/1363047", "transient", "ambiguous", ""],
    ["1609010", "transient", "ambiguous", ""],
    ["200/1404078", "forbidden", "forbidden", ""],
    ["100/4854002", "forbidden", "forbidden", ""],
    ["100/1404112", "forbidden", "forbidden", ""],
    ["100/1404006", "forbidden", "forbidden", ""],
    ["368/1346003", "forbidden", "forbidden", ""],
    ["100/1404102", "forbidden", "forbidden", ""],
    ["324/1366046", "media_rejected", "media_rejected", ""],
    ["100/2069019", "media_rejected", "media_rejected", ""],
    ["506", "invalid", "invalid", ""],
    ["100/1366051", "invalid", "invalid", ""],
    ["100/2061006", "invalid", "invalid", ""],
    ["100/1609008", "invalid", "invalid", ""],
    ["100/1349125", "invalid", "invalid", ""],
    ["100", "invalid", "invalid", ""],
    ["100/1363041", "transient", "transient", ""],
    ["100", "invalid", "transient", "(#100) Param attached_media[0][media_fbid] must be a valid photo"],
    ["100/33", "invalid", "transient", "Object with ID '1' does not exist"]
  ] satisfies ReadonlyArray<readonly [string, ErrorClass, ErrorClass, string]>)(
    "%s is %s, and of the commit %s (%s)",
    (said, expected, ofCommit, message) => {
      const [refused, committed] = [refuseFacebook, refuseCommit].map((refuse) =>
        refuse(errorOf(said, message))
      )
      assert.deepInclude(refused, { class: expected, code: said })
      assert.deepInclude(committed, { class: ofCommit, code: said })
      assert.strictEqual(refused!.token_expired ?? false, said.startsWith("190"))
      assert.match(refused!.message, /^[A-Z].+\.$/)
    }
  )

  test("a picture that is too large is told the limit that a post is checked against", () => {
    const limit = platformRules.facebook.placements[0]!.images!.max_bytes! / 1_000_000
    assert.include(refuseFacebook(errorOf("324/1366046")).message, `at most ${limit} MB`)
  })
})

// https://developers.google.com/youtube/v3/docs/errors and https://developers.google.com/youtube/v3/docs/videos/insert#errors
describe("the meaning of an error of YouTube", () => {
  test.each([
    [403, "quotaExceeded", "quota_exhausted"],
    [403, "dailyLimitExceeded", "quota_exhausted"],
    [400, "uploadLimitExceeded", "quota_exhausted"],
    [403, "rateLimitExceeded", "rate_limited"],
    [401, "youtubeSignupRequired", "forbidden"],
    [401, "authError", "reconnect"],
    [403, "insufficientPermissions", "reconnect"],
    [403, "forbidden", "forbidden"],
    [400, "invalidTitle", "invalid"],
    [400, "invalidDescription", "invalid"],
    [400, "invalidTags", "invalid"],
    [400, "invalidCategoryId", "invalid"],
    [400, "invalidPublishAt", "invalid"],
    [400, "invalidVideoMetadata", "invalid"]
  ] satisfies ReadonlyArray<readonly [number, string, ErrorClass]>)(
    "%i %s is %s",
    (status, reason, expected) => {
      const body = { error: { message: "By script.", errors: [{ reason }] } }
      const refused = refuseYouTube({ status, body })
      assert.strictEqual(refused.class, expected)
      assert.strictEqual(refused.token_expired ?? false, reason === "authError")
    }
  )
})

// The answers in `v5/openapi.json` of https://github.com/pinterest/api-description
describe("the meaning of an error of Pinterest", () => {
  test.each([
    [401, 2, "Authentication failed.", "reconnect"],
    [403, 29, "You are not permitted to access that resource.", "forbidden"],
    [403, 3, "The access token does not have the required scopes: pins:write.", "reconnect"],
    [404, 40, "Board not found.", "invalid"],
    [404, 2030, "Board section not found.", "invalid"],
    [404, 2031, "Media not found.", "transient"],
    [409, 9, "Could not get exclusive access to the board.", "transient"],
    [400, 40, "Board not found.", "invalid"],
    [400, 235, "Sorry, we are unable to reach the URL.", "media_unreachable"],
    [400, 1, "A cover image is missing.", "invalid"],
    [400, 1, "Too many images.", "invalid"]
  ] satisfies ReadonlyArray<readonly [number, number, string, ErrorClass]>)(
    "%i %i %s is %s",
    (status, code, message, expected) => {
      const refused = refusePinterest({ status, body: { code, message } })
      assert.deepInclude(refused, { class: expected, code: String(code) })
      assert.strictEqual(refused.token_expired ?? false, status === 401)
      assert.strictEqual(refused.discard_handle ?? false, message.startsWith("Media"))
    }
  )
})

// https://docs.x.com/x-api/fundamentals/response-codes-and-errors; the sentences are those that clients report.
describe("the meaning of an error of X", () => {
  const kind = (name: string) => `https://api.x.com/2/problems/${name}`

  test.each([
    [401, "about:blank", "Unauthorized", "reconnect"],
    [403, "about:blank", "You are not allowed to create a Tweet with duplicate content.", "invalid"],
    [403, "about:blank", "You are not permitted to perform this action.", "forbidden"],
    [403, kind("client-forbidden"), "This client is not enrolled.", "config"],
    [403, kind("unsupported-authentication"), "Unsupported Authentication", "config"],
    [403, "about:blank", "A post can have a maximum of one cashtag.", "invalid"],
    [403, "about:blank", "You are not allowed to post a video longer than 2 minutes.", "media_rejected"],
    [403, kind("user-suspended"), "User has been suspended.", "forbidden"],
    [403, "about:blank", "Your account is temporarily locked.", "forbidden"],
    [403, kind("usage-capped"), "Usage cap exceeded: Monthly product cap", "quota_exhausted"],
    [
      403,
      "about:blank",
      "Your enrolled account does not have any credits to fulfill this request.",
      "quota_exhausted"
    ],
    [
      402,
      kind("credits"),
      "Your enrolled account does not have any credits to fulfill this request.",
      "quota_exhausted"
    ],
    [402, "about:blank", "Payment Required", "quota_exhausted"],
    [403, "about:blank", "You have reached your daily limit for creating posts.", "quota_exhausted"],
    [
      403,
      "about:blank",
      "Reply to this conversation is not allowed because you have not been mentioned.",
      "forbidden"
    ],
    [
      403,
      "about:blank",
      "You attempted to reply to a Tweet that is deleted or not visible to you.",
      "invalid"
    ],
    [403, "about:blank", "Something new.", "forbidden"],
    [400, kind("invalid-request"), "Your media IDs are invalid.", "transient"],
    [400, kind("invalid-request"), "One or more parameters to your request was invalid.", "invalid"]
  ] satisfies ReadonlyArray<readonly [number, string, string, ErrorClass]>)(
    "%i %s %s is %s",
    (status, type, detail, expected) => {
      const refused = refuseX({ status, body: { type, title: "By script", detail, status } })
      assert.strictEqual(refused.class, expected)
      assert.strictEqual(refused.token_expired ?? false, status === 401)
      assert.strictEqual(refused.discard_handle ?? false, expected === "transient")
      assert.include(refused.message, detail)
    }
  )

  test.each([
    [404, "The media was not found.", "transient"],
    [400, "The media session has expired.", "transient"],
    [400, "The media type is not supported.", "media_rejected"],
    [400, "The segment index is invalid.", "invalid"],
    [401, "Unauthorized", "reconnect"]
  ] satisfies ReadonlyArray<readonly [number, string, ErrorClass]>)(
    "%i %s of an upload is %s",
    (status, detail, expected) => {
      assert.strictEqual(refuseUploadOfX({ status, body: { detail } }).class, expected)
    }
  )

  test.each([
    [401, "unauthorized_client", "Missing valid authorization header", "config"],
    [400, "invalid_client", "", "config"],
    [400, "invalid_request", "Value passed for the token was invalid.", "reconnect"],
    [400, "invalid_request", "Value passed for the authorization code was invalid.", "reconnect"],
    [400, "invalid_grant", "", "reconnect"],
    [400, "unsupported_grant_type", "", "invalid"]
  ] satisfies ReadonlyArray<readonly [number, string, string, ErrorClass]>)(
    "%i %s %s of its token endpoint is %s",
    (status, error, error_description, expected) => {
      assert.strictEqual(refuseTokensOfX({ status, body: { error, error_description } }).class, expected)
    }
  )
})

describe("the limit that a refusal of a network tells", () => {
  const placement = (platform: PlatformId, name: string) =>
    platformRules[platform].placements.find((one) => one.name === name)!
  const video = placement("tiktok", "video").videos!
  const megabytes = (bytes: number | undefined) => `${bytes! / 1_000_000} MB`

  test.each([
    [
      "the frame rate of a TikTok video",
      failed("frame_rate_check_failed").message,
      [`${video.min_fps} to ${video.max_fps} frames`]
    ],
    [
      "the size of a TikTok picture",
      failed("picture_size_check_failed").message,
      [`${video.min_width} to ${video.max_width} pixels`]
    ],
    [
      "a Discord file",
      refuseDiscord({ status: 400, body: { code: 40005, message: "By script." } }).message,
      [`${placement("discord", "post").images!.max_bytes! / 1024 ** 2} MiB per file`]
    ],
    [
      "a Telegram file",
      refuseTelegram({ status: 413, body: { ok: false, description: "By script." } }).message,
      [
        `accepts ${megabytes(placement("telegram", "media").videos!.max_bytes)},`,
        `${megabytes(placement("telegram", "media").images!.max_bytes)} for photos`
      ]
    ]
  ])("the limit that a refusal of a network tells is that of the rules, of %s", (_, message, limits) => {
    for (const limit of limits) assert.include(message, limit)
  })
})

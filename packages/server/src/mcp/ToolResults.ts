import { oneLine, printable, type Problem, type ProblemCode, problemCodes, truncate } from "@carillon/domain"
import type { CallToolResult } from "@modelcontextprotocol/server"
import { Record } from "effect"
import { consoleRooms } from "./ConsoleRooms.ts"
import { thatFit } from "./tools/AnswerSize.ts"

/** Clients show a model one of the two, so both say the same. What is not seen of the words of others is in neither. */
export const successResult = (output: Record<string, unknown>, text?: string): CallToolResult => {
  const json = JSON.stringify(output, (_, value) => (typeof value === "string" ? printable(value) : value))
  return {
    content: [{ type: "text", text: text === undefined ? json : printable(text) }],
    structuredContent: JSON.parse(json)
  }
}

/** The rules of `nothing_to_retry` and `upload_incomplete` that have steps of their own. */
type SpecialRule =
  | "waits_for_account"
  | "still_waiting"
  | "still_draft"
  | "import_failed"
  | "still_importing"
  | "upload_expired"

/** The next step in terms of the tools and of the pages for people, where the REST API's would lead elsewhere. */
const nextSteps = (publicUrl: string): Record<ProblemCode | SpecialRule, string> => {
  const rooms = consoleRooms(publicUrl)
  const reconnect = `Ask the user to connect the account again at ${rooms.accounts}`
  const ofRest = Record.map(problemCodes, ([, , action]) => action)
  return {
    ...ofRest,
    invalid_request: "Correct the arguments named above and call the tool again.",
    scheduled_at_past: "Ask the user which time they mean, and give one in the future.",
    scheduled_at_too_soon: `Give the time named above or a later one, or use_queue. The user can let the app publish at once at ${rooms.connectedApps}`,
    time_required: "Give scheduled_at or use_queue.",
    schedule_conflict: "Give either scheduled_at or use_queue, and no is_draft: true with use_queue.",
    not_found: "Check the id: list_posts, list_media and list_accounts list them.",
    social_account_not_found: "Call list_accounts for the ids.",
    social_account_disconnected: reconnect,
    media_not_found: "Call list_media for the ids, or create_media_upload for a new item.",
    media_not_ready: "Upload the file first, then call complete_media_upload.",
    media_failed: "Call import_media with another URL, or create_media_upload.",
    media_in_use: "Delete or change the posts named above first (delete_post, update_post).",
    upload_incomplete:
      "Send the file to upload_url (or have the user open browser_upload_page), then call complete_media_upload again.",
    workspace_full: `Ask the user which media to delete: delete_media, or the library at ${rooms.library}`,
    queue_not_configured: `Give scheduled_at instead of use_queue, or ask the user to set up the queue at ${rooms.queue}`,
    queue_full: `Give scheduled_at instead of use_queue, or ask the user to add slots at ${rooms.queue}`,
    post_not_editable:
      "Call get_post for its results. Where it failed, retry_post sends it again, and create_post with repairs replaces it by different content.",
    nothing_to_retry: `Call get_post for its results. An unconfirmed one is sent again with not_live: true, if the user says that it is not live; they find it at ${rooms.activity}`,
    waits_for_account: reconnect,
    still_waiting: "Nothing is to be done now: call get_post later.",
    import_failed:
      "Call import_media again, with another URL if the cause is the file; or create_media_upload.",
    still_importing: "Nothing is to be uploaded: see list_media later for its status.",
    upload_expired: "Call create_media_upload again, and send the file to the new upload_url.",
    still_draft: "Call schedule_post or publish_post, if the user wants it to go out.",
    post_result_not_found: "Call get_post of the post that failed for the ids of its results.",
    result_not_failed:
      "Call get_post for its results. Leave out the accounts on which it has not failed; only the user can confirm an unconfirmed one.",
    repair_in_progress:
      "Call get_post of the post named above. Change, publish or delete that one instead of creating another.",
    already_repaired: "Nothing is left to do, unless the user wants it published once more.",
    option_not_accepted: "Call get_platform_options for what the account accepts.",
    caption_too_long: "Shorten it, or give that account a caption of its own in account_configurations.",
    media_not_accepted: "Call get_platform_options for what the account accepts.",
    board_required: `Give board_ids in platform_configurations.pinterest; the boards are named above and in get_platform_options. The user can choose a default board at ${rooms.accounts}`,
    destination_not_found: "Choose one of those named above, or call get_platform_options with account_id.",
    privacy_level_not_offered:
      "Choose one of those named above, or call get_platform_options with account_id.",
    platform_not_configured: `Ask the user to set up the platform at ${rooms.accounts}`,
    platform_not_supported: "Call list_accounts for the platforms that can be posted to.",
    missing_scope: `Tell the user what is missing. They change what a connected app may do at ${rooms.connectedApps}, and what a key may do at ${rooms.settings}`,
    approval_needed: `Tell the user; what waits for them is at ${rooms.approvals}, and what the app may do is changed at ${rooms.connectedApps}`,
    account_not_allowed: `Call list_accounts for the accounts that may be used; others are added to a connected app at ${rooms.connectedApps}, and API keys are made at ${rooms.settings}`,
    idempotency_key_reused: "Give a new idempotency_key. Use the same one only to repeat the same call.",
    idempotency_in_progress: "Wait a second, then call again with the same idempotency_key.",
    confirm_password: `Only the user can do it, at ${rooms.settings}`,
    stale_version: "Somebody else changed the post in the meantime: call get_post, then change it again.",
    rate_limited: "Wait a minute, then call again."
  }
}

const longestProblem = 2_000
const mostOfProblems = 5_000

/** Every problem with its stable code, as far as a model's context has room. */
export const problemLines = ({ code, errors }: Problem): ReadonlyArray<string> => {
  const lines = errors.map(
    (item) => `[${item.code === "" ? code : item.code}] ${truncate(oneLine(item.message), longestProblem)}`
  )
  const shown = thatFit(lines, mostOfProblems)
  return shown.length < lines.length ? [...shown, `And ${lines.length - shown.length} more.`] : shown
}

export const problemText = (problem: Problem, publicUrl: string): string =>
  [...problemLines(problem), ...nextStepsFor(problem, publicUrl).map((step) => `Next step: ${step}`)].join(
    "\n"
  )

export const problemResult = (problem: Problem, publicUrl: string): CallToolResult => ({
  content: [{ type: "text", text: problemText(problem, publicUrl) }],
  isError: true
})

/** What to do about a problem, once for each kind of it. */
export const nextStepsFor = ({ code, errors }: Problem, publicUrl: string): ReadonlyArray<string> => {
  const steps = nextSteps(publicUrl)
  // A rule says more than the code of the whole.
  const codes = errors.map(({ code: own, rule }) =>
    rule !== undefined && rule in steps ? rule : own || code
  )
  const specific = codes.filter((one) => one !== "invalid_request")
  const named = (specific.length > 0 ? specific : codes).flatMap((one) =>
    Object.hasOwn(steps, one) ? [steps[one as ProblemCode]] : []
  )
  return [...new Set(named.length > 0 ? named : [steps.invalid_request])]
}

export const brokenResult = (requestId: string): CallToolResult => ({
  content: [
    {
      type: "text",
      text: `[internal_error] Something went wrong inside Carillon. Try again; if it happens again, give the request id ${requestId} to the operator.`
    }
  ],
  isError: true
})

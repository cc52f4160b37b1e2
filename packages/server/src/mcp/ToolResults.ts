import { type Problem, type ProblemCode, problemCodes } from "@carillon/domain"
import type { CallToolResult } from "@modelcontextprotocol/server"

/** Clients show a model one of the two, so both say the same. */
export const successResult = (output: Record<string, unknown>, text?: string): CallToolResult => ({
  content: [{ type: "text", text: text ?? JSON.stringify(output) }],
  structuredContent: output
})

/** The next step in terms of the tools, where the REST API's would lead elsewhere. */
const nextSteps: Partial<Record<ProblemCode, string>> = {
  invalid_request: "Correct the arguments named above and call the tool again.",
  not_found: "Check the id: list_posts, list_media and list_accounts list them.",
  social_account_not_found: "Call list_accounts for the ids.",
  social_account_disconnected:
    "Ask the user to connect the account again; list_accounts shows which need it.",
  media_not_found: "Call list_media for the ids, or create_media_upload for a new item.",
  media_not_ready: "Upload the file first, then call complete_media_upload.",
  media_failed: "Call import_media with another URL, or create_media_upload.",
  media_in_use: "Delete or change the posts named above first (delete_post, update_post).",
  upload_incomplete:
    "Send the file to upload_url (or have the user open browser_upload_page), then call complete_media_upload again.",
  queue_not_configured: "Give scheduled_at instead of use_queue, or ask the user to set up the queue.",
  queue_full: "Give scheduled_at instead of use_queue.",
  post_not_editable: "Call get_post to see its results; a published post is changed on the platform itself.",
  option_not_accepted: "Call get_platform_options for what the account takes.",
  caption_too_long: "Shorten it, or give that account a caption of its own in account_configurations.",
  media_not_accepted: "Call get_platform_options for what the account takes.",
  board_required:
    "Give board_ids in platform_configurations.pinterest; the boards are named above and in get_platform_options.",
  destination_not_found: "Choose one of those named above, or call get_platform_options with account_id.",
  missing_scope:
    "Tell the user; they can grant it to a connected app on the service's page /connected-apps, or make an API key with the scope.",
  account_not_allowed: "Call list_accounts for the accounts that may be used."
}

/** Every problem with its stable code, and what to do next. */
export const problemResult = ({ code, errors }: Problem): CallToolResult => ({
  content: [
    {
      type: "text",
      text: [
        ...errors.map((item) => `[${item.code === "" ? code : item.code}] ${item.message}`),
        ...nextStepsFor([code, ...errors.map((item) => item.code)]).map((step) => `Next step: ${step}`)
      ].join("\n")
    }
  ],
  isError: true
})

const nextStepsFor = (codes: ReadonlyArray<string>) => {
  const specific = codes.filter((code) => code !== "invalid_request")
  const steps = (specific.length > 0 ? specific : codes).flatMap((code) =>
    Object.hasOwn(problemCodes, code)
      ? [nextSteps[code as ProblemCode] ?? problemCodes[code as ProblemCode][2]]
      : []
  )
  return [...new Set(steps.length > 0 ? steps : [nextSteps.invalid_request!])]
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

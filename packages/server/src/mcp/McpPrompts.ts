import type { McpServer } from "@modelcontextprotocol/server"
import { Schema } from "effect"
import { checked } from "./ToolSchema.ts"

const said = (text: string) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text } }]
})

const WeekArguments = Schema.Struct({
  topics: Schema.optionalKey(
    Schema.String.annotate({ description: "What the posts are about, or where to find it." })
  ),
  count: Schema.optionalKey(Schema.String.annotate({ description: "How many posts, for example 5." }))
})

const PostArguments = Schema.Struct({
  post_id: Schema.String.annotate({ description: "The id of the post to start from." })
})

/** Starting points that a person chooses from a menu. */
export const registerPrompts = (server: McpServer) => {
  server.registerPrompt(
    "plan_week",
    {
      title: "Plan the coming week",
      description: "Looks at the calendar, proposes posts for the gaps, and makes them as drafts.",
      argsSchema: checked(WeekArguments)
    },
    ({ topics, count }) =>
      said(
        [
          "Plan my social posts for the coming week.",
          "1. Call list_accounts and show_calendar for the next 7 days; note the gaps and the free queue slots.",
          `2. Propose ${count ?? "3 to 5"} posts${topics === undefined ? "; ask me what they should be about" : ` about: ${topics}`}. For each: text, accounts, day and time in my time zone.`,
          "3. Wait for my answer. Then check each with preview_post and make it with create_post and is_draft: true, with scheduled_at as the plan.",
          "4. List the drafts with their ids and times. Call schedule_post for them only when I say so."
        ].join("\n")
      )
  )
  server.registerPrompt(
    "repurpose_post",
    {
      title: "Reuse a post elsewhere",
      description: "Takes one post and rewrites it for the other accounts.",
      argsSchema: checked(PostArguments)
    },
    ({ post_id }) =>
      said(
        [
          `Reuse my post ${post_id} on my other accounts.`,
          "1. Call get_post for it, and list_accounts for the accounts where it has not been posted yet.",
          "2. Call get_platform_options for each of those and write a version that suits it: length, tone, hashtags, media.",
          "3. Show me the versions with preview_post. Make them as one draft with account_configurations when I agree."
        ].join("\n")
      )
  )
  server.registerPrompt(
    "review_failed",
    {
      title: "Look at what failed",
      description: "Finds posts that failed on any account, and says why and what to do about each."
    },
    () =>
      said(
        [
          "Look at my posts that did not go out everywhere.",
          "1. Call list_posts with result: failed, again with result: unconfirmed, and again with result: waiting for what is held up. A post that is live on one account and failed on another is among them. trouble says which account and why.",
          "2. For each account say why in plain words, and what would fix it: reconnecting it, different content, or waiting. Give me the link in where.",
          "3. If nothing more has to change, ask me whether to call retry_post. If the content was the cause, propose a new post and check it with preview_post.",
          "4. What is unconfirmed may be live: ask me to look, and call retry_post with not_live: true only if I say that it is not live. Publish nothing without asking me."
        ].join("\n")
      )
  )
}

import { Command } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { credentialName } from "../CredentialText.ts"
import { withExamples } from "../Examples.ts"
import { healthOf } from "../Health.ts"
import { oneLine } from "@carillon/domain/OneLine"
import { shortTime } from "../Text.ts"
import { color } from "../Color.ts"

export const statusCommand: MakeCommand = (open) =>
  withExamples(
    new Command("status").action(async () => {
      const { client, output, target } = await open()
      const health = await healthOf(target.url)
      if (!health.ready) {
        throw new CliError(
          exitCodes.error,
          `The service at ${target.url} is not ready: ${health.reason}.`,
          "Diagnose the problem with: carillon doctor"
        )
      }
      const [profile, scheduled, failed, unconfirmed, accounts] = await Promise.all([
        client.profile.get(),
        client.posts.list({ status: "scheduled", limit: 200 }),
        client.results.list({ status: "failed", limit: 1 }),
        client.results.list({ status: "unconfirmed", limit: 1 }),
        client.accounts.list({ status: "needs_reconnect", limit: 200 })
      ])
      const soonest = scheduled.data
        .flatMap((post) => (post.scheduled_at === null ? [] : [post]))
        .sort((a, b) => a.scheduled_at!.localeCompare(b.scheduled_at!))[0]
      const status = {
        url: target.url,
        ready: true,
        answered_in_ms: health.ms,
        credential: profile.credential,
        scheduled: scheduled.meta.total,
        next: soonest === undefined ? null : { id: soonest.id, scheduled_at: soonest.scheduled_at },
        failed_results: failed.meta.total,
        unconfirmed_results: unconfirmed.meta.total,
        accounts_to_reconnect: accounts.data.map(({ id, platform, username }) => ({ id, platform, username }))
      }
      output.result(status, () =>
        [
          `${color("good", "ready")}  ${target.url} (${health.ms} ms)`,
          `Workspace ${profile.workspace.name}, ${credentialName(profile)}`,
          `Scheduled posts: ${status.scheduled}${
            soonest === undefined
              ? ""
              : `, next ${shortTime(soonest.scheduled_at)} ${oneLine(soonest.excerpt ?? soonest.id)}`
          }`,
          `Failed results: ${status.failed_results}${status.failed_results > 0 ? "  (carillon results --status failed)" : ""}`,
          ...(status.unconfirmed_results > 0
            ? [
                color(
                  "busy",
                  `Unconfirmed results: ${status.unconfirmed_results}  (carillon results --status unconfirmed)`
                )
              ]
            : []),
          ...accounts.data.map(({ id, platform, username }) =>
            color(
              "busy",
              `To reconnect: ${platform}/@${username} (${id})  (carillon accounts connect ${platform})`
            )
          )
        ].join("\n")
      )
    }),
    "status"
  )

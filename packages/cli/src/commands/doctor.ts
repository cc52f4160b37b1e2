import { accessFinding, type Finding, findingsJson, findingsText, oneLine } from "@carillon/domain"
import { type Carillon, NotFoundError, PermissionError } from "@carillon/sdk"
import { Command } from "@commander-js/extra-typings"
import { CliError, exitCodes } from "../CliError.ts"
import type { MakeCommand } from "../MakeCommand.ts"
import { configPath, isExposed } from "../Config.ts"
import { credentialName, describeCredential, whereFrom } from "../CredentialText.ts"
import { withExamples } from "../Examples.ts"
import { healthOf } from "../Health.ts"
import { clientOf, credentialOf, type GlobalOptions, type Target, targetOf } from "../Session.ts"
import type { Terminal } from "../Terminal.ts"
import { count } from "../Text.ts"
import { color } from "../Color.ts"

export const doctorCommand: MakeCommand = (open) =>
  withExamples(
    new Command("doctor").action(async () => {
      const { options, output, terminal } = open.local()
      const findings = await examine(terminal, options)
      const problems = findings.filter(({ level }) => level === "problem")
      output.result(findingsJson(findings), () =>
        findingsText(findings, (level, text) => color(tones[level], text))
      )
      if (problems.length > 0)
        throw new CliError(exitCodes.error, `${count(problems.length, "check")} failed.`)
    }),
    "doctor",
    "doctor --profile work --json"
  )

const tones = { ok: "good", warning: "busy", problem: "bad" } as const

const oldestNode = 22
/** Seconds; webhooks and signed URLs tolerate no more. */
const clockTolerance = 60

const examine = async (terminal: Terminal, options: GlobalOptions): Promise<ReadonlyArray<Finding>> => {
  const target = targetOf(terminal.env, options)
  const health = await healthOf(target.url)
  const local = [
    good(
      "Node.js",
      process.version,
      Number(process.versions.node.split(".")[0]) >= oldestNode,
      `Install Node.js ${oldestNode} or later.`
    ),
    good(
      "configuration",
      isExposed(terminal.env)
        ? `${configPath(terminal.env)} is readable by other users`
        : configPath(terminal.env),
      !isExposed(terminal.env),
      `Run: chmod 600 ${configPath(terminal.env)}`
    ),
    good(
      "service",
      health.ready
        ? `${target.url} is ready (${health.ms} ms)`
        : `${target.url} is not ready: ${health.reason}`,
      health.ready,
      health.ms === null
        ? "Start it with npm start or carillon-server, or give its URL with --url or CARILLON_URL."
        : "Check the service's log. It recovers on its own once the problem is fixed."
    ),
    ...(health.clockAhead === null
      ? []
      : [
          good(
            "clock",
            `${Math.abs(health.clockAhead)} s ${health.clockAhead < 0 ? "behind" : "ahead of"} the service's`,
            Math.abs(health.clockAhead) <= clockTolerance,
            'Correct this machine\'s clock: times such as "in 2 hours" depend on it.'
          )
        ])
  ]
  const { apiKey, signIn } = target
  if (apiKey === undefined && signIn === undefined) {
    const found = "not signed in, and no API key is set"
    return [...local, good("credential", found, false, "Run: carillon login, or set CARILLON_API_KEY.")]
  }
  if (!health.ready) return local
  const credential = await credentialOf(terminal, target)
  return [...local, ...(await examineWorkspace(await clientOf(target.url, credential!), target))]
}

const examineWorkspace = async (client: Carillon, target: Target): Promise<ReadonlyArray<Finding>> => {
  const profile = await client.profile.get().catch((error: Error) => error)
  if (profile instanceof Error) {
    const kind = target.signIn === undefined ? "API key" : "sign-in"
    const found = `${target.signIn === undefined ? `the key from ${target.keyFrom}` : whereFrom(target)} was rejected: ${profile.message}`
    return [good(kind, found, false, "Run: carillon login")]
  }
  const { scopes, timezone, workspace } = profile
  const mayPublish = scopes.some((scope) => scope === "admin" || scope === "posts:publish")
  const [connected, ill] = await Promise.all([
    client.accounts.list({ status: "connected", limit: 200 }),
    client.accounts.list({ status: "needs_reconnect", limit: 200 })
  ])
  const names = connected.data.map(({ platform, username }) => `${platform}/@${username}`)
  const findings = [
    good(
      profile.credential.type === "app" ? "sign-in" : "API key",
      `workspace ${workspace.name}, ${credentialName(profile)}, from ${whereFrom(target)}`,
      true,
      null
    ),
    good(
      "allowed",
      [scopes.join(", "), ...(await describeCredential(client, profile))].join("; "),
      true,
      null
    ),
    good(
      "publishing",
      mayPublish ? "allowed" : "only scheduling is allowed",
      true,
      mayPublish ? null : "Publishing immediately requires the posts:publish scope."
    ),
    good("time zone", timezone, true, null),
    good(
      "accounts",
      names.length === 0 ? "none connected" : names.join(", "),
      names.length > 0,
      "See how to connect one with: carillon accounts connect --help"
    ),
    ...connected.data.flatMap((account) => accessFinding(account, Date.now()) ?? []),
    ...connected.data.flatMap(({ platform, username, warning }): ReadonlyArray<Finding> =>
      // A service of an earlier release says nothing.
      warning == null
        ? []
        : [{ check: `${platform}/@${username}`, level: "warning", found: warning, advice: null }]
    ),
    ...ill.data.map(({ platform, status_reason, username }) =>
      good(
        `${platform}/@${username}`,
        status_reason ?? "needs to be reconnected",
        false,
        `Reconnect it with: carillon accounts connect ${platform}`
      )
    )
  ]
  const told = new Set(findings.map(({ check }) => check))
  return [...findings, ...(await examineInstance(client)).filter(({ check }) => !told.has(check))]
}

/** What the service finds of itself is told to the operator alone. */
const examineInstance = async (client: Carillon): Promise<ReadonlyArray<Finding>> => {
  try {
    const { checks } = await client.instance.checks()
    return checks.map((finding) => ({ ...finding, found: oneLine(finding.found) }))
  } catch (error) {
    // A service of an earlier release does not check itself.
    if (error instanceof PermissionError || error instanceof NotFoundError) return []
    throw error
  }
}

const good = (check: string, found: string, ok: boolean, advice: string | null): Finding => ({
  check,
  level: ok ? "ok" : "problem",
  found: oneLine(found),
  // A good result needs no advice, unless it is a restriction to know of.
  advice: ok && check !== "publishing" ? null : advice
})

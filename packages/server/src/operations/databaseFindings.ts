import {
  accessFinding,
  BackupSchedule,
  backupsFinding,
  Spending as SpendingSchema,
  spendingFinding
} from "@carillon/domain"
import { Clock, Effect, Option, type Result, Schema } from "effect"
import type { AppConfigShape } from "../AppConfig.ts"
import { scheduleOf } from "../backup/BackupSchedule.ts"
import { lastBackup } from "../backup/ScheduleRepository.ts"
import { Spending } from "../platforms/twitter/Spending.ts"
import { databaseFacts, endingWithin } from "../sql/DatabaseFacts.ts"
import type { DatabaseStartError } from "../sql/DatabaseStartError.ts"
import { migrations } from "../sql/Migrations.ts"
import { planned } from "../sql/Sql.ts"
import { bytes, ok, problem, warning } from "./findings.ts"

/** Days. */
const soon = 14
/** Milliseconds. Signed addresses and tokens are good for longer than that, and times in words are off by it. */
const clockTolerance = 2_000

/** What is found of a database that is open, and in it. */
export const databaseFindings = Effect.fnUntraced(function* (config: AppConfigShape) {
  const facts = yield* databaseFacts
  const plan = yield* Effect.result(planned(migrations))
  return [
    databaseFinding(config, facts),
    ...(Option.isSome(config.databaseUrl) ? [clockFinding(facts.clockAhead)] : []),
    migrationsFinding(plan),
    ...(plan._tag === "Success" && plan.success.todo.length === 0
      ? [...(yield* endings), yield* backups(config), ...(yield* costs)]
      : [])
  ]
})

const databaseFinding = (config: AppConfigShape, facts: Effect.Success<typeof databaseFacts>) => {
  const kind = Option.isSome(config.databaseUrl) ? "PostgreSQL" : "embedded, PostgreSQL"
  const found = `${kind} ${facts.version}, ${bytes(facts.bytes)}, fsync ${facts.fsync}, synchronous_commit ${facts.commits}`
  if (facts.readOnly === "on")
    return problem(
      "database",
      `${found}; it is read-only`,
      "Promote it, or point DATABASE_URL at the primary."
    )
  if (facts.fsync !== "on")
    return problem("database", found, "Set fsync to on: a power cut can destroy the whole database.")
  if (facts.commits === "off")
    return warning(
      "database",
      found,
      "Set synchronous_commit to on: a power cut can lose acknowledged posts."
    )
  return ok("database", found)
}

const clockFinding = (ahead: number) => {
  const found = `the database's clock is ${Math.abs(ahead / 1000).toFixed(1)} s ${ahead < 0 ? "behind" : "ahead of"} this machine's`
  return Math.abs(ahead) <= clockTolerance
    ? ok("database clock", found)
    : warning("database clock", found, "Posts go out by the database's clock. Synchronize both with NTP.")
}

const migrationsFinding = (
  plan: Result.Result<Effect.Success<ReturnType<typeof planned>>, DatabaseStartError>
) => {
  if (plan._tag === "Failure") return problem("migrations", plan.failure.message, "See docs/upgrading.md.")
  const { last, todo } = plan.success
  if (todo.length === 0) return ok("migrations", `up to date (${last})`)
  return warning(
    "migrations",
    `${todo.length} to run after ${last ?? "none"}`,
    "The next start runs them; npm run migrate -- --dry-run shows them."
  )
}

const endings = Effect.gen(function* () {
  const { keys, accounts, ending } = yield* endingWithin(soon)
  const now = yield* Clock.currentTimeMillis
  const day = (at: Date) => at.toISOString().slice(0, 10)
  const findings = [
    ...keys.map(({ name, ended, at }) =>
      warning(
        `key ${name}`,
        `${ended ? "ended" : "ends"} on ${day(at)}`,
        ended ? "Delete it: carillon keys revoke." : "Create another in time: carillon keys create."
      )
    ),
    ...accounts.map(({ name, reason }) =>
      warning(name, reason ?? "needs to be connected again", "Connect it again: carillon accounts connect.")
    ),
    ...ending.flatMap(
      (account) =>
        accessFinding({ ...account, access_expires_at: account.access_expires_at.toISOString() }, now) ?? []
    )
  ]
  return findings.length > 0 ? findings : [ok("keys and accounts", `none ends within ${soon} days`)]
})

const backups = Effect.fnUntraced(function* ({ backup }: AppConfigShape) {
  const schedule = yield* Effect.orDie(
    Schema.encodeEffect(BackupSchedule)(scheduleOf(backup, yield* lastBackup))
  )
  return backupsFinding(schedule, yield* Clock.currentTimeMillis)
})

/** Only where X has charged anything, or there is a budget. */
const costs = Effect.gen(function* () {
  const figures = yield* (yield* Spending).figures
  return figures.budget === null && figures.spent === 0
    ? []
    : [spendingFinding(yield* Effect.orDie(Schema.encodeEffect(SpendingSchema)(figures)))]
}).pipe(Effect.provide(Spending.layer))

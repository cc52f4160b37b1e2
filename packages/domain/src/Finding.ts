import { Schema } from "effect"
import { field } from "./Field.ts"

/** A finding of an installation check: `carillon doctor`, or the server's own. */
export const Finding = Schema.Struct({
  check: field("What was checked, such as `disk` or an account.", Schema.String),
  level: field(
    "`warning`: it works, but not well or not for long. `problem`: it does not work.",
    Schema.Literals(["ok", "warning", "problem"])
  ),
  found: field("What was found, for people.", Schema.String),
  advice: field("What to do, for people; null: nothing.", Schema.NullOr(Schema.String))
})
export interface Finding extends Schema.Schema.Type<typeof Finding> {}

/** `GET /v1/instance/checks` */
export const InstanceChecks = Schema.Struct({
  ok: field("true: no check has the level `problem`.", Schema.Boolean),
  checks: field("Each check.", Schema.Array(Finding).check(Schema.isMaxLength(100)))
}).annotate({ identifier: "InstanceChecks" })
export interface InstanceChecks extends Schema.Schema.Type<typeof InstanceChecks> {}

/** Only a problem is not ok. */
export const isOk = (findings: ReadonlyArray<Finding>) => findings.every(({ level }) => level !== "problem")

/** As a program reads it. */
export const findingsJson = (findings: ReadonlyArray<Finding>) => ({
  ok: isOk(findings),
  checks: findings.map((finding) => ({ ...finding, ok: finding.level !== "problem" }))
})

/** As a person reads it: a line for each, and below it what to do. */
export const findingsText = (
  findings: ReadonlyArray<Finding>,
  paint: (level: Finding["level"], text: string) => string = (_, text) => text
) =>
  findings
    .map(({ check, level, found, advice }) =>
      [
        `${paint(level, level.padEnd(3))}  ${check}: ${found}`,
        ...(advice === null ? [] : [`     ${advice}`])
      ].join("\n")
    )
    .join("\n")

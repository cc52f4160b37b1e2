/** A finding of an installation check: `carillon doctor`, or the server's own. */
export interface Finding {
  readonly check: string
  readonly level: "ok" | "warning" | "problem"
  readonly found: string
  /** What to do. */
  readonly advice: string | null
}

/** As a program reads it: only a problem is not ok. */
export const findingsJson = (findings: ReadonlyArray<Finding>) => ({
  ok: findings.every(({ level }) => level !== "problem"),
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

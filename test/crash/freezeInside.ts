/**
 * Loaded into a service (`node --import`): once the file named by FREEZE_PLAN is there, the process freezes when the
 * next connection is open and nothing has been written to it yet. A signal from outside would wake its timers first,
 * as a stalled machine does not.
 */
import { subscribe } from "node:diagnostics_channel"
import { existsSync, rmSync } from "node:fs"

const plan = process.env["FREEZE_PLAN"]!

subscribe("undici:client:connected", () => {
  if (!existsSync(plan)) return
  rmSync(plan)
  process.kill(process.pid, "SIGSTOP")
})

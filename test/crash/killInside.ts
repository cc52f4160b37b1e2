/**
 * Loaded into a service on the embedded database (`node --import`), whose database no proxy can stand before: ends
 * the process at one write of those that follow once the file named by CRASH_PLAN is there. Production code knows
 * nothing of it.
 */
import { PGlite } from "@electric-sql/pglite"
import { existsSync, readFileSync } from "node:fs"
import { type Point, Interceptor } from "./Interceptor.ts"
import { MessageReader, Statements, writeIn } from "./WireMessages.ts"
import { writeWhole } from "./writeWhole.ts"

const plan = process.env["CRASH_PLAN"]!
const interceptor = new Interceptor()
const statements = new Statements()
const reader = new MessageReader({ opening: false })
let current = ""

const end = async () => {
  process.kill(process.pid, "SIGKILL")
  return false
}

const send = PGlite.prototype.execProtocolRawStream

PGlite.prototype.execProtocolRawStream = async function (message, options) {
  const wanted = existsSync(plan) ? readFileSync(plan, "utf8") : ""
  if (wanted !== current) {
    current = wanted
    if (wanted === "") interceptor.disarm()
    else interceptor.arm((JSON.parse(wanted) as { readonly point?: Point }).point, end)
  }
  // A connection's first message has no type, and a length that does not reach its highest byte.
  if (message[0] === 0) return send.call(this, message, options)
  const steps = reader.read(message).flatMap((one) => {
    const write = writeIn(statements.runBy(one) ?? "")
    return write === undefined ? [] : [interceptor.pass(write)]
  })
  if (current !== "" && steps.length > 0) writeWhole(`${plan}.passed`, JSON.stringify(interceptor.passed))
  for (const step of steps) await interceptor.reach(step, "before")
  const done = steps.find((step) => interceptor.isAt(step, "done"))
  if (done === undefined) return send.call(this, message, options)
  await send.call(this, message, { ...options, onRawData: () => {} })
  await interceptor.reach(done, "done")
}

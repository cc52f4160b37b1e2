import { Effect } from "effect"
import { chromium } from "playwright-core"

/** Milliseconds for each step: Playwright's own half a minute is what a busy machine may stand still for. */
const patience = 120_000

/** A browser, closed with the scope. CHROMIUM names the program, /usr/bin/chromium if it is not given. */
export const launchChromium = Effect.acquireRelease(
  Effect.promise(async () => {
    const running = await chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        // As root, in a container, there is no other way to start it.
        "--no-sandbox",
        // Sites on plain http that are not localhost.
        "--host-resolver-rules=MAP newsroom.example 127.0.0.1,MAP carillon.test 127.0.0.1"
      ],
      timeout: patience
    })
    const newContext = running.newContext.bind(running)
    // A new page makes its context by this too.
    running.newContext = async (options) => {
      const context = await newContext(options)
      context.setDefaultTimeout(patience)
      return context
    }
    return running
  }),
  (running) => Effect.promise(() => running.close())
)

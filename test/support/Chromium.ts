import { Effect } from "effect"
import { chromium } from "playwright-core"

/** A browser, closed with the scope. CHROMIUM names the program, /usr/bin/chromium if it is not given. */
export const launchChromium = Effect.acquireRelease(
  Effect.promise(() =>
    chromium.launch({
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      // As root, in a container, there is no other way to start it.
      args: ["--no-sandbox"]
    })
  ),
  (running) => Effect.promise(() => running.close())
)

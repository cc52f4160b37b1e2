import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/**
 * axe, and no sideways scroll. React Aria's announcer keeps what it has said for some seconds: by then the button that it names
 * may be gone.
 */
export const inspect = async (page: Page) => {
  await page.evaluate(axe)
  const violations = await page.evaluate<ReadonlyArray<string>>(
    `axe.run({ exclude: "[data-live-announcer]" }, { runOnly: ${JSON.stringify(axeTags)} }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html).join(" | ")))`
  )
  assert.deepEqual(violations, [], `what axe finds at ${page.url()}`)
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth")
  assert.ok(wide <= 0, `${page.url()} is ${wide} px too wide`)
}

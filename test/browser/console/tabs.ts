import assert from "node:assert/strict"
import type { Walk } from "./results.ts"
import { run } from "./run.ts"

/** Eight tabs load, and what was open when the service went away catches up. */
export const tabs = async ({ page, service }: Pick<Walk, "page" | "service">, account: number) => {
  const others = await Promise.all(Array.from({ length: 7 }, () => page.context().newPage()))
  await Promise.all(
    [page, ...others].map(async (tab) => {
      await tab.goto(`${service.url}/app?view=month&date=2030-12-04`)
      await tab.locator("[data-post]").first().waitFor()
    })
  )
  for (const tab of others) await tab.close()

  assert.equal(await run(service.terminate), 0)
  await run(service.start)
  const { body } = await run(
    service.call("POST", "/v1/posts", {
      social_accounts: [account],
      caption: "Written after the service came back",
      scheduled_at: "2030-12-05T10:00[Europe/Paris]"
    })
  )
  await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`)
  await page.locator(`[data-post="${body.id}"]`).waitFor({ timeout: 120_000 })
}

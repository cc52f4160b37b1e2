import type { Page } from "playwright-core"

/** The last message that says this. */
export const toast = (page: Page, text: string | RegExp) =>
  page.locator("[data-toast]").filter({ hasText: text }).last()

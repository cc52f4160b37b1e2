import { sixSeconds } from "@carillon/testing/Videos"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { describe } from "vitest"
import { bells } from "./bells.ts"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"
import { toast } from "./toast.ts"

describe("the files of a post", () => {
  test("come from the library or a field, in any order, and are described, cut and taken off", async ({
    page,
    room: { at, call, upload }
  }) => {
    const tower = await upload("tower.jpg")
    await call("PATCH", `/v1/media/${tower}`, { alt_text: "A clock tower at sunset" })
    await upload("pasted.jpg")
    await upload("choir.mp4", await Effect.runPromise(sixSeconds()), "video/mp4")
    await page.goto(at(`/compose?media=${tower}`))
    const names = () => page.locator("[data-file-tile] [data-name]").allTextContents()
    await page.locator("[data-file-tile]").getByText("Described").waitFor()
    await page.getByRole("button", { name: "From the library" }).click()
    for (const name of ["pasted.jpg", "choir.mp4"])
      await page.getByRole("dialog").locator("[data-file]").filter({ hasText: name }).click()
    await inspect(page)
    await page.getByRole("button", { name: "Add 2" }).click()
    await page.locator("[data-file-tile]").nth(2).waitFor()
    assert.deepEqual(await names(), ["tower.jpg", "pasted.jpg", "choir.mp4"])

    // Picked up, carried, left, and put down with the keyboard; each is said.
    const said = page.locator("[data-media-field] [role=status]")
    await page.getByRole("button", { name: "Move tower.jpg, 1 of 3" }).focus()
    for (const key of ["Enter", "ArrowRight", "Escape"]) await page.keyboard.press(key)
    await said.getByText("It stays where it was.").waitFor({ state: "attached" })
    assert.deepEqual(await names(), ["tower.jpg", "pasted.jpg", "choir.mp4"])
    for (const key of ["Enter", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key)
    await said.getByText("Place 3 of 3").waitFor({ state: "attached" })
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Move tower.jpg, 3 of 3" }).and(page.locator(":focus")).waitFor()
    assert.deepEqual(await names(), ["pasted.jpg", "choir.mp4", "tower.jpg"])
    // By pointer.
    await page
      .locator("[data-file-tile]")
      .nth(2)
      .dragTo(page.locator("[data-file-tile]").first(), { targetPosition: { x: 12, y: 50 } })
    await page.getByRole("button", { name: "Move tower.jpg, 1 of 3" }).waitFor()
    assert.deepEqual(await names(), ["tower.jpg", "pasted.jpg", "choir.mp4"])

    // Described one after the other.
    await page.getByRole("button", { name: "Describe all" }).click()
    await page.getByLabel("What pasted.jpg shows").fill("The same tower")
    await inspect(page)
    await page.getByRole("button", { name: "Next" }).click()
    await page.getByLabel("What choir.mp4 shows").fill("A choir sings on the bakery steps")
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    assert.equal(await page.locator("[data-file-tile]").getByText("Described").count(), 3)

    // Cut: the new file takes the place of the old one. Uploaded: it comes last.
    await page.getByRole("button", { name: "More for pasted.jpg" }).click()
    await page.getByRole("menuitem", { name: "Crop" }).click()
    await page.getByRole("group", { name: /^The part to keep/ }).waitFor()
    await page.getByRole("button", { name: "1:1", exact: true }).click()
    await page.getByRole("button", { name: "Crop", exact: true }).last().click()
    await page.locator("[data-file-tile]").nth(1).getByText("pasted (1:1).jpg").first().waitFor()
    await page
      .locator('[data-media-field] input[type="file"]')
      .setInputFiles({ name: "roof.jpg", mimeType: "image/jpeg", buffer: bells })
    await page.locator("[data-file-tile]").nth(3).getByText("roof.jpg").first().waitFor()
    assert.deepEqual(await names(), ["tower.jpg", "pasted (1:1).jpg", "choir.mp4", "roof.jpg"])
    await page.getByRole("button", { name: "More for choir.mp4" }).click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await page.getByRole("button", { name: "Move choir.mp4" }).waitFor({ state: "detached" })
    await toast(page, "choir.mp4 removed").getByRole("button", { name: "Undo" }).click()
    await page.getByRole("button", { name: "Move choir.mp4, 3 of 4" }).waitFor()
  })
})

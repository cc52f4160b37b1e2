import type { Locator, Page } from "playwright-core"
import type { World } from "./seed.ts"

/** Something of the console to take a picture of. */
export interface State {
  readonly name: string
  /** Below `/app`. */
  readonly path: string
  /** What a person does there, until the state is there. */
  readonly open: (page: Page) => Promise<unknown>
  /** What happens to the service before. */
  readonly before?: () => Promise<unknown>
  /** The one kind of screen that has it. */
  readonly on?: "phone" | "desk"
  /** It changes what it shows: one visit after the other. */
  readonly alone?: true
  /** The page is so high that nothing of it scrolls. */
  readonly whole?: true
}

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name })
const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole("heading", { name }).first().waitFor()
const says = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()
const has = (selector: string) => (page: Page) => page.locator(selector).first().waitFor()
const press = (name: string | RegExp) => (page: Page) => button(page, name).first().click()
const dialog = (page: Page) => page.getByRole("dialog").or(page.getByRole("alertdialog"))
const opens = async (page: Page) => dialog(page).first().waitFor()
/** One after the other. */
const all =
  (...steps: ReadonlyArray<(page: Page) => Promise<unknown>>) =>
  async (page: Page) => {
    for (const step of steps) await step(page)
  }
const answers =
  (address: string, change: (body: any) => unknown, status = 200) =>
  (page: Page) =>
    page.route(address, async (route) => {
      if (route.request().method() !== "GET") return route.continue()
      const body = status === 200 ? await (await route.fetch()).json() : undefined
      await route.fulfill({ status, json: change(body) })
    })
const fails = (address: string) =>
  answers(address, () => ({ title: "Unwell", status: 503, detail: "It rests." }), 503)

/** The rooms of a service that nobody has used, as far as it is used. */
export const firstSteps = (call: World["call"]): ReadonlyArray<State> => {
  let account = 0
  let post = ""
  const step = (name: string, open: State["open"], before?: () => Promise<unknown>) => ({
    name: `home-${name}`,
    path: "",
    open,
    whole: true as const,
    ...(before === undefined ? {} : { before })
  })
  return [
    step("write", says("Write something")),
    step("connect", says("only you see it"), async () => {
      for (const { id } of (await call("GET", "/v1/social-accounts?limit=100")).data)
        await call("DELETE", `/v1/social-accounts/${id}`)
    }),
    { name: "accounts-disconnected", path: "/accounts", open: has("[data-account]"), whole: true },
    { name: "activity-empty", path: "/activity", open: says("Nothing needs you") },
    { name: "library-empty", path: "/library", open: says("No files yet") },
    {
      name: "queue-empty",
      before: () => call("PUT", "/v1/queue", { slots: [] }),
      path: "/queue",
      open: says("The queue has no slots yet")
    },
    step("draft", says("is a draft"), async () => {
      const credentials = { username: "demo", password: "sandbox" }
      account = (await call("POST", "/v1/social-accounts", { platform: "sandbox", credentials })).id
      const body = { social_accounts: [account], caption: "Good morning from the bakery", is_draft: true }
      post = (await call("POST", "/v1/posts", body)).id
    }),
    step("planned", says("Good morning from the bakery"), () =>
      call("PATCH", `/v1/posts/${post}`, { scheduled_at: "2026-12-09T18:00[Europe/Paris]", is_draft: false })
    ),
    step("out", says("is out."), () => call("POST", `/v1/posts/${post}/publish`))
  ]
}

export const states = (world: World): ReadonlyArray<State> => {
  const { call, demo, drafts, id, picture, video } = world
  const post = (id: string) => `/posts/${id}`

  const agenda = `?view=agenda&date=2026-12-09`
  const card = (text: string) => all((page) => button(page, new RegExp(text)).first().click(), opens)
  const calendar: ReadonlyArray<State> = [
    { name: "month", path: "?view=month", open: has("[data-post]") },
    { name: "month-next", path: "?view=month&date=2027-01-04", open: has("[data-cell]") },
    { name: "week", path: "?view=week", open: has("[data-post]") },
    { name: "week-busy", path: "?view=week&date=2026-12-17", open: has("[data-post]") },
    { name: "agenda", whole: true, path: agenda, open: has("[data-post]") },
    { name: "agenda-empty", path: "?view=agenda&date=2028-02-01", open: says("Nothing is scheduled yet") },
    { name: "day", path: "", open: has("[data-post]") },
    {
      name: "agenda-no-match",
      path: "?view=agenda&date=2027-12-04&status=failed",
      open: says("No post matches")
    },
    { name: "month-account", path: `?view=month&account=${id.bakery}`, open: has("[data-post]") },
    { name: "month-failed", path: "?view=month&status=failed", open: has("[data-post]") },
    { name: "month-undated", path: "?view=month&undated=true", open: has("[data-undated]") },
    { name: "agenda-undated", whole: true, path: `${agenda}&undated=true`, open: has("[data-undated]") },
    {
      name: "undated-card",
      path: `${agenda}&undated=true`,
      open: all((page) => page.locator("[data-undated]").first().click(), opens)
    },
    {
      name: "filter-accounts",
      path: "?view=month",
      open: all(has("[data-post]"), press(/^Account:/), has("[role=menu]"))
    },
    {
      name: "filter-states",
      path: "?view=month",
      open: all(has("[data-post]"), press(/^State:/), has("[role=menu]"))
    },
    { name: "card-planned", path: agenda, open: card("Jam of the month|Carols under the tower") },
    { name: "card-sent", path: agenda, open: card("The shop is open") },
    { name: "card-failed", path: agenda, open: card("Lunch: soup") },
    { name: "card-blocked", path: agenda, open: card("Bells at dusk, from the roof") },
    { name: "card-thread", path: agenda, open: card("Three posts about the tower") },
    { name: "card-held", path: agenda, open: card("The first loaves") },
    {
      name: "card-month",
      path: "?view=month",
      open: all((page) => page.locator(`[data-post="${world.planned}"]`).first().click(), opens)
    },
    {
      name: "move-dialog",
      path: agenda,
      open: all(card("Carols under the tower"), press("Move to…"), heading("Move to"))
    },
    {
      name: "move-past",
      path: agenda,
      open: all(
        card("Carols under the tower"),
        press("Move to…"),
        (page) => page.getByLabel(/^Day, Paris/).fill("2026-12-01T07:30"),
        says("This time has passed")
      )
    },
    {
      name: "remove-post",
      path: agenda,
      open: all(card("Carols under the tower"), press("Delete…"), says("Deleting cannot be undone"))
    },
    {
      name: "carried",
      path: "?view=month",
      open: async (page) => {
        await page.locator(`[data-post="${world.planned}"]`).focus()
        for (const key of ["m", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key)
      }
    },
    {
      name: "carried-week",
      path: "?view=week&date=2026-12-12",
      open: async (page) => {
        await page.locator(`[data-post="${world.planned}"]`).focus()
        for (const key of ["m", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key)
      }
    },
    {
      name: "move-failed",
      path: "?view=month",
      open: async (page) => {
        await page.route("**/v1/posts/*", (route) =>
          route.request().method() === "PATCH" ? route.abort() : route.continue()
        )
        await page.locator(`[data-post="${world.planned}"]`).focus()
        for (const key of ["m", "ArrowRight", "Enter"]) await page.keyboard.press(key)
        await says("Not moved: no connection")(page)
      }
    },
    {
      name: "calendar-error",
      path: "?view=month",
      open: all(fails("**/v1/posts/calendar?*"), (page) => page.reload(), says("The calendar did not load"))
    }
  ]

  const write = (page: Page) => page.getByLabel("Text", { exact: true })
  const checked = (page: Page) => button(page, /^\d+ problems?$/).waitFor()
  const options = (network: string) => async (page: Page) => {
    const part = page.getByRole("region", { name: "Options" })
    await button(part, new RegExp(`^${network}`)).click()
    await part.getByRole("group", { name: `Options for ${network}` }).waitFor()
    const more = button(part, /more options?$/)
    if (await more.count()) await more.click()
  }
  const preview = (network: string) => async (page: Page) => {
    const tab = page.getByRole("tablist", { name: "Preview" }).getByRole("tab", { name: network }).first()
    await tab.click()
    await page
      .getByRole("article", { name: `Preview: ${network}` })
      .first()
      .waitFor()
  }
  const inMore = (name: string) => all(press("More"), (page) => page.getByRole("menuitem", { name }).click())
  const when = (name: string) => async (page: Page) => {
    const change = button(page, "Change")
    if (await change.isVisible()) await change.click()
    await press(name)(page)
  }
  const part = (name: string) => (page: Page) =>
    page.getByRole("region", { name, exact: true }).first().scrollIntoViewIfNeeded()
  const composer: ReadonlyArray<State> = [
    { name: "compose", path: "/compose?at=2026-12-14T18:00", open: has("[aria-pressed]") },
    {
      name: "compose-tried",
      path: "/compose?at=2026-12-14T18:00",
      open: all(has("[aria-pressed]"), press(/^Schedule for/), says("No account is chosen"))
    },
    {
      name: "compose-more-accounts",
      path: "/compose",
      open: all(press(/^\d+ more$/), has("[role=menuitemcheckbox]"))
    },
    { name: "compose-written", path: post(drafts.written), open: has("[role=article]") },
    { name: "compose-written-high", path: post(drafts.written), whole: true, open: has("article") },
    { name: "compose-long", path: post(drafts.long), open: checked },
    { name: "compose-long-high", path: post(drafts.long), whole: true, open: checked },
    {
      name: "compose-problems",
      path: post(drafts.long),
      open: all(press(/^\d+ problems?$/), says("and by the service"))
    },
    { name: "compose-thread", path: post(drafts.thread), whole: true, open: has("[data-item]") },
    {
      name: "compose-thread-instagram",
      path: post(drafts.thread),
      whole: true,
      open: (page) => page.getByRole("tab", { name: "Instagram", exact: true }).click()
    },
    {
      name: "compose-own",
      path: post(drafts.own),
      whole: true,
      open: (page) => page.getByRole("tab", { name: /^@northshop own/ }).click()
    },
    {
      name: "compose-inherited",
      path: post(drafts.own),
      whole: true,
      open: (page) => page.getByRole("tab", { name: "@bakery", exact: true }).click()
    },
    {
      name: "compose-own-options",
      path: post(drafts.own),
      whole: true,
      open: (page) => button(page.getByRole("region", { name: "Options" }), "@northshop").click()
    },
    ...[
      "TikTok",
      "Instagram",
      "Pinterest",
      "Facebook",
      "LinkedIn",
      "Threads",
      "X",
      "Bluesky",
      "Test network"
    ].map((network) => ({
      name: `network-${network.toLowerCase().replace(" ", "-")}`,
      path: post(drafts.pictures),
      whole: true as const,
      open: all(options(network), preview(network))
    })),
    ...["YouTube", "TikTok", "Instagram"].map((network) => ({
      name: `network-video-${network.toLowerCase()}`,
      path: post(drafts.video),
      whole: true as const,
      open: all(options(network), preview(network))
    })),
    {
      name: "options-frame",
      path: post(drafts.video),
      whole: true,
      open: all(options("YouTube"), press(/^Choose a frame/), has("[role=slider]"))
    },
    {
      name: "preview-hidden",
      path: post(drafts.written),
      whole: true,
      open: all(has("article"), press(/^Hide/))
    },
    {
      name: "describe-dialog",
      path: post(drafts.written),
      open: all(press("Describe tower-at-dusk.jpg"), (page) =>
        page.getByLabel("What tower-at-dusk.jpg shows").waitFor()
      )
    },
    {
      name: "crop-in-post",
      path: post(drafts.written),
      open: all(press("Crop tower-at-dusk.jpg"), says(/pixels/))
    },
    {
      name: "file-menu",
      path: post(drafts.written),
      open: all(press("More for tower-at-dusk.jpg"), has("[role=menu]"))
    },
    {
      name: "picker",
      path: post(drafts.written),
      open: async (page) => {
        await press("From the library")(page)
        await dialog(page).locator("[data-file]").nth(2).click()
        await press("Add 1")
      }
    },
    {
      name: "from-a-link",
      path: post(drafts.written),
      open: all(press("From a link"), (page) => page.getByLabel("Address of the file").waitFor())
    },
    {
      name: "emoji",
      path: "/compose",
      open: all(press("Add an emoji"), (page) =>
        page.getByRole("option", { name: "Grinning face" }).waitFor()
      )
    },
    { name: "when-queue", path: post(drafts.queued), open: when("Queue") },
    {
      name: "when-time",
      path: "/compose?at=2027-03-28T02:30",
      open: all(when("At a time"), part("Accounts"))
    },
    { name: "when-now", path: "/compose", open: when("Now") },
    { name: "compose-more", path: post(drafts.queued), open: all(press("More"), has("[role=menu]")) },
    { name: "compose-remove", path: post(drafts.queued), open: all(inMore("Delete…"), opens) },
    { name: "compose-planned", path: post(world.planned), open: has("[aria-pressed]") },
    {
      name: "compose-leave",
      path: post(world.planned),
      open: async (page) => {
        await write(page).fill("A planned one")
        await page.goBack()
        await says("Leave without saving?")(page)
      }
    },
    { name: "compose-repair", path: post(world.mending.id), open: heading("Repair") },
    { name: "compose-waiting", path: `${post(world.waiting.id)}?edit=true`, open: says("Next try: ") },
    {
      name: "compose-gone",
      path: post("01a20546-0bd8-71d1-b52c-36d2b981d5e6"),
      open: says("This post is gone")
    },
    {
      name: "compose-other-tab",
      path: post(drafts.queued),
      open: async (page) => {
        const other = await page.context().newPage()
        await other.goto(page.url())
        await other.getByRole("button", { name: "More", exact: true }).waitFor()
        await says("also open in another tab")(page)
      }
    },
    {
      name: "compose-offline",
      path: post(drafts.queued),
      open: async (page) => {
        await write(page).waitFor()
        await page.waitForLoadState("networkidle")
        await page.context().setOffline(true)
        await write(page).fill("Written without a connection")
        await says("Kept in this browser")(page)
      }
    },
    {
      name: "compose-signed-out",
      path: post(drafts.queued),
      open: async (page) => {
        await write(page).waitFor()
        await page.waitForLoadState("networkidle")
        const ended = {
          title: "Signed out",
          status: 401,
          code: "signed_out",
          detail: "The session has ended."
        }
        await page.route("**/v1/posts/*", (route) => route.fulfill({ status: 401, json: ended }))
        await write(page).fill("Written after the session ended")
        await says("Sign in again")(page)
      }
    },
    {
      name: "compose-clash",
      alone: true,
      path: post(drafts.clash),
      open: async (page) => {
        await write(page).waitFor()
        await page.waitForLoadState("networkidle")
        for (const caption of ["The bells rang", "The bells ring at seven"])
          await call("PATCH", post(drafts.clash).replace("/posts", "/v1/posts"), { caption })
        await write(page).fill("The bells ring at six, and the choir sings")
        await says("This post was changed while you were writing")(page)
      }
    },
    {
      name: "compose-refused",
      path: post(drafts.queued),
      open: async (page) => {
        await write(page).waitFor()
        const no = { title: "No", status: 422, code: "invalid_request", detail: "It is not taken." }
        await page.route("**/v1/posts/*", (route) => route.fulfill({ status: 422, json: no }))
        await write(page).fill("What nobody takes")
        await says("Not saved yet")(page)
      }
    }
  ]

  const file = (page: Page) => page.getByRole("complementary", { name: "File" })
  const drawn = async (page: Page) => {
    await file(page).getByText("Fits", { exact: true }).waitFor()
    await file(page)
      .getByText(/^(In|in) /)
      .first()
      .waitFor()
  }
  const library: ReadonlyArray<State> = [
    { name: "library", whole: true, path: "/library", open: has("[data-file] img") },
    { name: "library-undescribed", path: "/library?show=undescribed", open: has("[data-file] img") },
    { name: "library-file", whole: true, path: `/library?file=${picture}`, open: drawn },
    { name: "library-video", whole: true, path: `/library?file=${video}`, open: drawn },
    {
      name: "library-gone",
      path: "/library?file=0191f0a0-0000-7000-8000-00000000dead",
      open: says("This file is gone")
    },
    { name: "library-no-match", path: "/library?q=quince", open: says("No file matches") },
    {
      name: "library-crop",
      path: `/library?file=${picture}`,
      open: all(drawn, press("Crop"), press("4:5"), says(/pixels/))
    },
    { name: "library-remove", path: `/library?file=${video}`, open: all(drawn, press("Delete"), opens) },
    {
      name: "library-kept",
      path: `/library?file=${picture}`,
      open: all(
        drawn,
        press("Delete"),
        (page) => button(dialog(page), "Delete").click(),
        heading("is still needed"),
        (page) => dialog(page).getByRole("link").first().waitFor()
      )
    },
    {
      name: "library-refused",
      path: "/library",
      open: async (page) => {
        await has("[data-file]")(page)
        const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Bring the ladder") }
        await page.locator("input[type=file]").first().setInputFiles(notes)
        await says("No network accepts this kind of file.")(page)
      }
    },
    { name: "library-link", path: "/library", open: all(press("From a link"), opens) },
    {
      name: "library-drop",
      path: "/library",
      open: async (page) => {
        await has("[data-file]")(page)
        await page.evaluate(`{
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File(["x"], "dropped.jpg", { type: "image/jpeg" }))
          for (const type of ["dragenter", "dragover"])
            window.dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }))
        }`)
        await says("Drop to upload the file")(page)
      }
    }
  ]

  const slot = (time: string) => press(`Slot Tue 15 Dec, ${time}`)
  const queue: ReadonlyArray<State> = [
    { name: "queue", whole: true, path: "/queue", open: has("[data-slot]") },
    { name: "queue-next", whole: true, path: "/queue?date=2026-12-14", open: has("[data-slot] [data-post]") },
    { name: "queue-slot", path: "/queue?date=2026-12-14", open: all(slot("11:00"), has("[role=menu]")) },
    {
      name: "queue-change",
      path: "/queue?date=2026-12-14",
      open: all(slot("11:00"), (page) => page.getByRole("menuitem", { name: "Change" }).click(), opens)
    },
    {
      name: "queue-move",
      path: "/queue?date=2026-12-14",
      open: all(slot("11:00"), (page) => page.getByRole("menuitem", { name: "Move" }).click(), opens)
    },
    {
      name: "queue-add",
      path: "/queue?date=2026-12-14",
      open: all(press("Add a slot"), opens, press("Save"), says("Enter a time"))
    },
    {
      name: "queue-card",
      path: "/queue?date=2026-12-14",
      open: all((page) => page.locator("[data-slot] [data-post]").first().click(), opens)
    },
    {
      name: "queue-carried",
      path: "/queue?date=2026-12-14",
      open: async (page) => {
        await page.locator("[data-slot] [data-post]").first().focus()
        for (const key of ["m", "ArrowRight"]) await page.keyboard.press(key)
      }
    }
  ]

  const activity: ReadonlyArray<State> = [
    {
      name: "activity",
      whole: true,
      path: "/activity",
      open: all(has("[data-cause]"), says("What happened"))
    },
    {
      name: "activity-live",
      path: "/activity",
      open: all((page) => button(page, "It is live").first().click(), opens)
    },
    {
      name: "activity-error",
      path: "/activity",
      open: all(fails("**/v1/**"), (page) => page.reload(), says("did not load"))
    }
  ]

  const menu = (name: string) => press(`${name}: more`)
  const chosen = (network: string, ready: State["open"]) => ({
    name: `connect-${network}`,
    path: `/accounts?connect=${network}`,
    open: all(opens, ready)
  })
  const goes = (page: Page) => button(page, /^Go to /).waitFor()
  const accounts: ReadonlyArray<State> = [
    {
      name: "accounts",
      whole: true,
      path: "/accounts",
      open: all(has("[data-account]"), says("waiting for it"))
    },
    {
      name: "accounts-no-match",
      path: "/accounts",
      open: async (page) => {
        await page.getByLabel("Search accounts").fill("nobody")
        await says("No account matches “nobody”")(page)
      }
    },
    {
      name: "accounts-menu",
      path: "/accounts",
      open: all(menu("Test network @bakery"), has("[role=menu]"))
    },
    {
      name: "accounts-disconnect",
      path: "/accounts",
      open: all(
        menu("Test network @bakery"),
        (page) => page.getByRole("menuitem", { name: "Disconnect" }).click(),
        says("will fail")
      )
    },
    {
      name: "accounts-board",
      path: "/accounts",
      open: all(
        (page) => button(page, /^Pinterest .*: more$/).click(),
        (page) => page.getByRole("menuitem", { name: "Default board" }).click(),
        (page) => page.getByRole("combobox", { name: "Board" }).waitFor()
      )
    },
    {
      name: "accounts-audience",
      path: "/accounts",
      open: all(
        (page) => button(page, /^TikTok .*: more$/).click(),
        (page) => page.getByRole("menuitem", { name: "Default audience" }).click(),
        (page) => page.getByRole("combobox", { name: "Who can see them" }).waitFor()
      )
    },
    {
      name: "accounts-error",
      path: "/accounts",
      open: all(fails("**/v1/social-accounts*"), (page) => page.reload(), says("The accounts did not load"))
    },
    {
      name: "connect",
      path: "/accounts?connect=choose",
      open: (page) => page.getByRole("list", { name: "Networks" }).waitFor()
    },
    chosen("sandbox", (page) => page.getByLabel("Name").waitFor()),
    chosen("bluesky", (page) => page.getByLabel("Handle").waitFor()),
    chosen("telegram", (page) => dialog(page).getByRole("textbox").first().waitFor()),
    chosen("discord", (page) => dialog(page).getByRole("textbox").first().waitFor()),
    chosen("mastodon", says("You go to your server")),
    ...["instagram", "tiktok", "youtube", "linkedin"].map((network) => chosen(network, goes)),
    {
      name: "connect-wrong-password",
      path: "/accounts?connect=sandbox",
      open: async (page) => {
        await page.getByLabel("Name").fill("cellar")
        await page.getByLabel("Password").fill("guessed")
        await page.keyboard.press("Enter")
        await says("The password of cellar is not right")(page)
      }
    },
    {
      name: "reconnect",
      path: `/accounts?reconnect=${id.harbour}`,
      open: (page) => page.getByLabel("Password").waitFor()
    },
    {
      name: "reconnect-consent",
      path: `/accounts?reconnect=${demo("youtube")}`,
      open: says(/Sign in there as/)
    },
    {
      name: "connect-refused",
      path: "/accounts?connect=tiktok",
      open: all(
        press("Go to TikTok"),
        press(/^Continue to/),
        press("Deny"),
        says("You did not allow this service on TikTok")
      )
    },
    {
      name: "choose-two",
      path: "/accounts?connect=instagram",
      open: all(signIn("bakery-two"), (page) => page.getByRole("checkbox", { name: "@bakery-two" }).waitFor())
    },
    {
      name: "choose-sixty",
      path: "/accounts?connect=instagram",
      open: all(signIn("agency-sixty"), (page) =>
        page.getByRole("checkbox", { name: "@agency-branch-2" }).first().waitFor()
      )
    },
    {
      name: "choose-gone",
      path: "/accounts?pending=0191f0a0-0000-7000-8000-00000000dead",
      open: says("This choice has ended")
    },
    {
      name: "apps",
      whole: true,
      path: "/accounts/apps",
      open: (page) => page.getByRole("link", { name: /^TikTok/ }).waitFor()
    },
    ...["tiktok", "instagram", "discord", "twitter"].map((app) => ({
      name: `app-${app}`,
      whole: true as const,
      path: `/accounts/apps/${app}`,
      open: (page: Page) => page.getByRole("textbox").first().waitFor()
    })),
    {
      name: "app-empty",
      path: "/accounts/apps/tiktok",
      open: all(press("Save"), says("Enter the value that the network shows."))
    },
    {
      name: "app-wrong",
      path: "/accounts/apps/tiktok",
      open: async (page) => {
        await page.getByLabel("Client key").fill("awx7h2kq9tz3")
        await page.getByLabel("Client secret").fill("wrong")
        await press("Save")(page)
        await says("One of the two values is wrong.")(page)
      }
    }
  ]

  const sent = (name: string, made: { readonly id: string }, ready: State["open"]): State => ({
    name: `result-${name}`,
    path: post(made.id),
    ...(/dialog/.test(name) ? {} : { whole: true }),
    open: all(has("[data-result]"), ready)
  })
  const result: ReadonlyArray<State> = [
    sent("everything", world.everything, all(says("gave no answer"), has('[data-state="waiting"]'))),
    sent("sent", world.everything, (page) => page.getByRole("tab", { name: "What was sent" }).click()),
    sent("live", world.live, has('[data-state="live"]')),
    sent("failed", world.failed, has('[data-state="failed"]')),
    sent("doubt", world.doubt, has('[data-state="doubt"]')),
    sent("details", world.everything, async (page) => {
      for (const one of await page.getByText("What exactly happened").all()) await one.click()
    }),
    sent("repaired", world.broken, has('[data-state="repaired"]')),
    sent("mending", world.loud, says("It has not gone out yet.")),
    sent("thread", world.thread, says("Broke off: 1 of 3 are live")),
    sent("waiting", world.waiting, has('[data-state="waiting"]')),
    sent("live-dialog", world.doubt, all(press("It is live"), opens)),
    sent("again-dialog", world.doubt, all(press("It is not live"), opens, press("Send again")))
  ]

  const shell: ReadonlyArray<State> = [
    { name: "settings", whole: true, path: "/settings", open: heading("Keyboard shortcuts") },
    {
      name: "settings-zone",
      path: "/settings",
      open: async (page) => {
        await page.getByRole("combobox", { name: "Time zone" }).fill("tok")
        await page.getByRole("option", { name: "Tokyo" }).click()
        await heading("Change to Tokyo time?")(page)
      }
    },
    {
      name: "settings-zones",
      path: "/settings",
      open: async (page) => {
        await page.getByRole("combobox", { name: "Time zone" }).fill("par")
        await has("[role=option]")(page)
      }
    },
    {
      name: "settings-name",
      path: "/settings",
      open: (page) => page.getByLabel("Name", { exact: true }).fill("")
    },
    { name: "not-found", path: "/nothing/here", open: says("Not Found") },
    { name: "person", path: "/settings", open: all(press(/account and settings$/), has("[role=menu]")) },
    { name: "more-pages", path: "/settings", on: "phone", open: all(press("More"), has("[role=menu]")) },
    {
      name: "offline",
      path: "/accounts",
      open: async (page) => {
        await has("[data-account]")(page)
        await page.waitForLoadState("networkidle")
        await page.context().setOffline(true)
        await says("No connection.")(page)
      }
    }
  ]

  return [...calendar, ...composer, ...library, ...queue, ...activity, ...accounts, ...result, ...shell]
}

/** To the test network's Facebook and back, with the accounts that this sign-in opens. */
const signIn = (username: string) =>
  all(
    press("A Facebook Page"),
    press("Go to Facebook"),
    press(/^Continue to/),
    (page) => page.getByRole("textbox", { name: "Account" }).fill(username),
    press("Allow"),
    (page) => page.getByRole("dialog", { name: "Choose Instagram accounts" }).waitFor()
  )

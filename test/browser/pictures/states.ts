import type { Locator, Page } from "playwright-core"
import type { World } from "./seed.ts"

type Step = (page: Page) => Promise<unknown>

/** Something of the console to take a picture of. */
export interface State {
  readonly name: string
  /** Below `/app`. */
  readonly path: string
  /** What a person does there, until the state is there. */
  readonly open: Step
  /** What happens to the service before. */
  readonly before?: () => Promise<unknown>
  /** The one kind of screen that has it. */
  readonly on?: "phone" | "desk"
  /** It changes what it shows: one visit after the other. */
  readonly alone?: true
  /** The page is so high that nothing of it scrolls. */
  readonly whole?: true
}

const all =
  (...steps: ReadonlyArray<Step>): Step =>
  async (page) => {
    for (const step of steps) await step(page)
  }
const state = (name: string, path: string, ...steps: ReadonlyArray<Step>): State => ({
  name,
  path,
  open: all(...steps)
})
const whole = (...given: Parameters<typeof state>): State => ({ ...state(...given), whole: true })

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole("button", typeof name === "string" ? { name, exact: true } : { name }).first()
const dialog = (page: Page) => page.getByRole("dialog").or(page.getByRole("alertdialog")).first()
const press =
  (name: string | RegExp): Step =>
  (page) =>
    button(page, name).click()
const item =
  (name: string): Step =>
  (page) =>
    page.getByRole("menuitem", { name }).click()
const fill =
  (label: string | RegExp, text: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: typeof label === "string" }).fill(text)
const keys =
  (...names: ReadonlyArray<string>): Step =>
  async (page) => {
    for (const name of names) await page.keyboard.press(name)
  }
const focus =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().focus()
const click =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().click()
const has =
  (selector: string): Step =>
  (page) =>
    page.locator(selector).first().waitFor()
const says =
  (text: string | RegExp): Step =>
  (page) =>
    page.getByText(text).first().waitFor()
const heading =
  (name: string): Step =>
  (page) =>
    page.getByRole("heading", { name }).first().waitFor()
const labelled =
  (label: string): Step =>
  (page) =>
    page.getByLabel(label).first().waitFor()
const opens: Step = (page) => dialog(page).waitFor()
const menu = has("[role=menu]")
const tab =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole("tab", { name, exact: true }).first().click()
const posts = has("[data-post]")
/** What is asked there is answered so, whatever the service would say. */
const answered =
  (address: string, status: number, body: object, method = "GET"): Step =>
  (page) =>
    page.route(address, (route) =>
      route.request().method() === method
        ? route.fulfill({ status, json: { status, ...body } })
        : route.continue()
    )
const fails = (address: string) =>
  answered(address, 503, { title: "Unwell", code: "unavailable", detail: "It rests." })
const again: Step = (page) => page.reload()
const offline: Step = async (page) => {
  await page.waitForLoadState("networkidle")
  await page.context().setOffline(true)
}

/** The rooms of a service that nobody has used, as far as it is used. */
export const firstSteps = (call: World["call"]): ReadonlyArray<State> => {
  let post = ""
  return [
    whole("home-write", "", says("Write something")),
    {
      ...whole("home-connect", "", says("only you see it")),
      before: async () => {
        for (const { id } of (await call("GET", "/v1/social-accounts?limit=100")).data)
          await call("DELETE", `/v1/social-accounts/${id}`)
      }
    },
    whole("accounts-disconnected", "/accounts", has("[data-account]")),
    state("activity-empty", "/activity", says("Nothing needs you")),
    state("library-empty", "/library", says("No files yet")),
    {
      ...state("queue-empty", "/queue", says("The queue has no slots yet")),
      before: () => call("PUT", "/v1/queue", { slots: [] })
    },
    {
      ...whole("home-draft", "", says("is a draft")),
      before: async () => {
        const credentials = { username: "demo", password: "sandbox" }
        const { id } = await call("POST", "/v1/social-accounts", { platform: "sandbox", credentials })
        const body = { social_accounts: [id], caption: "Good morning from the bakery", is_draft: true }
        post = (await call("POST", "/v1/posts", body)).id
      }
    },
    {
      ...whole("home-planned", "", says("Good morning from the bakery")),
      before: () =>
        call("PATCH", `/v1/posts/${post}`, {
          scheduled_at: "2026-12-09T18:00[Europe/Paris]",
          is_draft: false
        })
    },
    { ...whole("home-out", "", says("is out.")), before: () => call("POST", `/v1/posts/${post}/publish`) }
  ]
}

const calendar = ({ id, planned }: World): ReadonlyArray<State> => {
  const agenda = "?view=agenda&date=2026-12-09"
  const card = (text: string) => all(press(new RegExp(text)), opens)
  const carols = card("Carols under the tower")
  return [
    state("month", "?view=month", posts),
    state("month-next", "?view=month&date=2027-01-04", has("[data-cell]")),
    state("month-account", `?view=month&account=${id.bakery}`, posts),
    state("month-failed", "?view=month&status=failed", posts),
    state("month-undated", "?view=month&undated=true", has("[data-undated]")),
    state("weeks", "?view=weeks", posts),
    state("weeks-past", "?view=weeks&past=true", posts),
    { ...state("day", "?view=day", posts), on: "phone" },
    { ...state("days", "?view=days&date=2026-12-17", posts), on: "phone" },
    state("hour", "?view=week&date=2026-12-17", posts, click("[data-rest]"), opens),
    state("week", "?view=week", posts),
    state("week-busy", "?view=week&date=2026-12-17", posts),
    whole("agenda", agenda, posts),
    whole("agenda-undated", `${agenda}&undated=true`, has("[data-undated]")),
    state("agenda-empty", "?view=agenda&date=2028-02-01", says("Nothing is scheduled yet")),
    state("agenda-no-match", "?view=agenda&date=2027-12-04&status=failed", says("No post matches")),
    state("calendar", "", posts),
    state("calendar-error", "?view=month", fails("**/v1/posts/calendar?*"), again, says("did not load")),
    state("filter-accounts", "?view=month", posts, press(/\d accounts$/), opens),
    state("filter-states", "?view=month", posts, press(/^State:/), menu),
    state("card-undated", `${agenda}&undated=true`, click("[data-undated]"), opens),
    state("card-planned", agenda, carols),
    state("card-sent", agenda, card("The shop is open")),
    state("card-failed", agenda, card("Lunch: soup")),
    state("card-blocked", agenda, card("Bells at dusk, from the roof")),
    state("card-thread", agenda, card("Three posts about the tower")),
    state("card-held", agenda, card("The first loaves")),
    state("card-month", "?view=month", click(`[data-post="${planned}"]`), opens),
    state("move", agenda, carols, press("Move to…"), heading("Move to")),
    state(
      "move-past",
      agenda,
      carols,
      press("Move to…"),
      fill(/^Day, Paris/, "2026-12-01T07:30"),
      says("This time has passed")
    ),
    state("remove", agenda, carols, press("Delete…"), says("Deleting cannot be undone")),
    state("carried", "?view=month", focus(`[data-post="${planned}"]`), keys("m", "ArrowRight", "ArrowDown")),
    state(
      "carried-week",
      "?view=week&date=2026-12-12",
      focus(`[data-post="${planned}"]`),
      keys("m", "ArrowDown", "ArrowDown")
    ),
    state(
      "move-refused",
      "?view=month",
      answered("**/v1/posts/*", 400, { title: "No", code: "invalid_request", detail: "Not there." }, "PATCH"),
      focus(`[data-post="${planned}"]`),
      keys("m", "ArrowRight", "Enter"),
      says("Not moved")
    )
  ]
}

const composer = ({ call, drafts, mending, planned, waiting }: World): ReadonlyArray<State> => {
  const post = (id: string) => `/posts/${id}`
  const chips = has("[data-accounts]")
  const problems = (page: Page) => button(page, /^\d+ problems?$/)
  const rests: Step = (page) => page.waitForLoadState("networkidle")
  const write =
    (text: string): Step =>
    (page) =>
      page.getByRole("textbox", { name: "Text", exact: true }).fill(text)
  const options = (page: Page) => page.getByRole("region", { name: "Options" })
  const optionsOf =
    (network: string): Step =>
    async (page) => {
      await button(options(page), "All options").click()
      await button(options(page), new RegExp(`^${network}`)).click()
      await options(page)
        .getByRole("group", { name: `Options for ${network}` })
        .waitFor()
    }
  const preview =
    (network: string): Step =>
    async (page) => {
      const tabs = page.getByRole("tablist", { name: "Preview" })
      const list = page.getByLabel("Preview for")
      await tabs.or(list).waitFor()
      if (await tabs.isVisible()) await tabs.getByRole("tab", { name: network }).first().click()
      else
        await list.selectOption({
          label: await list.locator("option", { hasText: network }).first().innerText()
        })
      await page
        .getByRole("article", { name: `Preview: ${network}` })
        .first()
        .waitFor()
    }
  const ofFile = (choice: string) => all(press("More for tower-at-dusk.jpg"), item(choice))
  const when =
    (name: string): Step =>
    async (page) => {
      await chips(page)
      await press("Change when it goes out")(page)
      await press(name)(page)
    }
  const networks = (draft: string, prefix: string, ...names: ReadonlyArray<string>) =>
    names.map((name) =>
      whole(
        prefix + name.toLowerCase().replace(" ", "-"),
        post(draft),
        has("article"),
        preview(name),
        optionsOf(name)
      )
    )
  return [
    state("compose", "/compose?at=2026-12-14T18:00", chips),
    state(
      "compose-tried",
      "/compose?at=2026-12-14T18:00",
      chips,
      press(/^Schedule for/),
      says("No account is chosen")
    ),
    state("compose-more-accounts", "/compose", press(/^\d+ more|^Choose accounts$/), opens),
    state("compose-written", post(drafts.written), chips),
    whole("compose-written-whole", post(drafts.written), has("article")),
    whole("compose-long", post(drafts.long), (page) => problems(page).waitFor()),
    state(
      "compose-problems",
      post(drafts.long),
      (page) => problems(page).click(),
      says("and by the service")
    ),
    whole("compose-thread", post(drafts.thread), has("[data-item]")),
    whole("compose-thread-own", post(drafts.thread), has("[data-item]"), tab("Instagram")),
    whole("compose-own", post(drafts.own), (page) =>
      page.getByRole("tab", { name: /^@northshop own/ }).click()
    ),
    whole("compose-inherited", post(drafts.own), tab("@bakery")),
    whole("compose-own-options", post(drafts.own), async (page) => {
      await button(options(page), "All options").click()
      await button(options(page), "@northshop").click()
    }),
    ...networks(
      drafts.pictures,
      "network-",
      "TikTok",
      "Instagram",
      "Pinterest",
      "Facebook",
      "LinkedIn",
      "Threads"
    ),
    ...networks(drafts.pictures, "network-", "X", "Bluesky", "Test network"),
    ...networks(drafts.video, "network-video-", "YouTube", "TikTok", "Instagram"),
    whole("preview-hidden", post(drafts.written), has("article"), press(/^Hide/)),
    state(
      "describe",
      post(drafts.written),
      all(press("Describe tower-at-dusk.jpg")),
      labelled("What tower-at-dusk.jpg shows")
    ),
    state("crop", post(drafts.written), ofFile("Crop…"), says(/pixels/)),
    state("file-menu", post(drafts.written), press("More for tower-at-dusk.jpg"), menu),
    state("picker", post(drafts.written), press("From the library"), opens, (page) =>
      dialog(page).locator("[data-file]").nth(2).click()
    ),
    state("from-a-link", post(drafts.written), press("From a link"), labelled("Address of the file")),
    state("emoji", "/compose", press("Add an emoji"), (page) =>
      page.getByRole("option", { name: "Grinning face" }).waitFor()
    ),
    state("when-queue", "/compose", when("Queue")),
    state("when-skipped", "/compose?at=2027-03-28T02:30", chips),
    state("when-now", "/compose", when("Now")),
    state("compose-more", post(drafts.queued), press("More"), menu),
    state("compose-remove", post(drafts.queued), press("More"), item("Delete…"), opens),
    state("compose-planned", post(planned), chips),
    state("compose-leave", post(planned), write("A planned one"), press("Back"), says("Leave without")),
    whole("compose-repair", post(mending.id), heading("Repair")),
    state("compose-waiting", `${post(waiting.id)}?edit=true`, says("Next try: ")),
    state("compose-gone", post("01a20546-0bd8-71d1-b52c-36d2b981d5e6"), says("This post is gone")),
    state(
      "compose-offline",
      post(drafts.queued),
      chips,
      offline,
      write("Unheard"),
      says("Kept in this browser")
    ),
    state(
      "compose-signed-out",
      post(drafts.queued),
      chips,
      rests,
      answered(
        "**/v1/posts/*",
        401,
        { title: "Signed out", code: "signed_out", detail: "It ended." },
        "PATCH"
      ),
      write("Written after the session ended"),
      says("Sign in again")
    ),
    state(
      "compose-refused",
      post(drafts.queued),
      chips,
      rests,
      answered(
        "**/v1/posts/*",
        422,
        { title: "No", code: "invalid_request", detail: "It is not taken." },
        "PATCH"
      ),
      write("What nobody takes"),
      says("Not saved yet")
    ),
    {
      ...state("compose-clash", post(drafts.clash), async (page) => {
        const change = (caption: string) => call("PATCH", `/v1/posts/${drafts.clash}`, { caption })
        await change("The bells ring at six")
        await all(again, chips, rests)(page)
        await change("The bells ring at seven")
        await write("The bells ring at six, and the choir sings")(page)
        await says("This post was changed while you were writing")(page)
      }),
      alone: true
    }
  ]
}

const library = ({ picture, video }: World): ReadonlyArray<State> => {
  const file = `/library?file=${picture}`
  const drawn: Step = (page) =>
    page.getByRole("complementary", { name: "File" }).getByText("Fits", { exact: true }).waitFor()
  const confirm: Step = (page) => button(dialog(page), "Delete").click()
  return [
    whole("library", "/library", has("[data-file] img")),
    state("library-undescribed", "/library?show=undescribed", has("[data-file] img")),
    state("library-file", file, drawn),
    state("library-video", `/library?file=${video}`, drawn),
    state(
      "library-choosing",
      "/library",
      has("[data-file] img"),
      press("Choose files"),
      press(/^All \d+ shown$/)
    ),
    state(
      "library-remove-several",
      "/library",
      has("[data-file] img"),
      press("Choose files"),
      press(/^All \d+ shown$/),
      press("Delete"),
      opens
    ),
    state("library-gone", "/library?file=0191f0a0-0000-7000-8000-00000000dead", says("This file is gone")),
    state("library-no-match", "/library?q=quince", says("No file matches")),
    state("library-crop", file, drawn, press("Crop"), opens, press("4:5"), says(/pixels/)),
    state("library-remove", `/library?file=${video}`, drawn, press("Delete"), opens),
    state("library-kept", file, drawn, press("Delete"), opens, confirm, heading("is still needed")),
    state("library-link", "/library", press("From a link"), opens),
    state("library-refused", "/library", has("[data-file]"), async (page) => {
      const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Bring the ladder") }
      await page.locator("input[type=file]").first().setInputFiles(notes)
      await says("No network accepts this kind of file.")(page)
    }),
    state("library-drop", "/library", has("[data-file]"), async (page) => {
      await page.evaluate(`{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(["x"], "dropped.jpg", { type: "image/jpeg" }))
        for (const type of ["dragenter", "dragover"])
          window.dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }))
      }`)
      await says("Drop to upload the file")(page)
    })
  ]
}

const queue = (): ReadonlyArray<State> => {
  const week = "/queue?date=2026-12-14"
  const slot = all(press("Slot Tue 15 Dec, 11:00"), menu)
  const post = "[data-slot] [data-post]"
  return [
    whole("queue", "/queue", has("[data-slot]")),
    whole("queue-next", week, has(post)),
    state("queue-slot", week, slot),
    state("queue-change", week, slot, item("Change"), opens),
    state("queue-move", week, slot, item("Move the post"), opens),
    state("queue-add", week, press("Add a slot"), opens, press("Save"), says("Enter a time")),
    state("queue-card", week, click(post), opens),
    state("queue-carried", week, focus(post), keys("m", "ArrowRight"))
  ]
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

const accounts = ({ demo, id }: World): ReadonlyArray<State> => {
  const more = (name: string | RegExp, choice: string) => all(press(name), item(choice))
  const chosen: Step = (page) => page.getByRole("combobox").and(page.locator(":enabled")).first().waitFor()
  const connect = (network: string, ready: Step) =>
    state(`connect-${network}`, `/accounts?connect=${network}`, opens, ready)
  const goes: Step = (page) => button(page, /^Go to /).waitFor()
  const field: Step = (page) => dialog(page).getByRole("textbox").first().waitFor()
  return [
    whole("accounts", "/accounts", has("[data-account]"), says("waiting for it")),
    state(
      "accounts-no-match",
      "/accounts",
      fill("Search accounts", "nobody"),
      says("No account matches “nobody”")
    ),
    state("accounts-menu", "/accounts", press("Test network @bakery: more"), menu),
    state(
      "accounts-disconnect",
      "/accounts",
      more("Test network @bakery: more", "Disconnect"),
      says("will fail")
    ),
    state("accounts-board", "/accounts", more(/^Pinterest .*: more$/, "Default board"), opens, chosen),
    state("accounts-audience", "/accounts", more(/^TikTok .*: more$/, "Default audience"), opens, chosen),
    state("accounts-error", "/accounts", fails("**/v1/social-accounts*"), again, says("did not load")),
    state("connect", "/accounts?connect=choose", (page) =>
      page.getByRole("list", { name: "Networks" }).waitFor()
    ),
    ...["sandbox", "bluesky", "telegram", "discord", "mastodon"].map((network) => connect(network, field)),
    ...["instagram", "tiktok", "youtube", "linkedin"].map((network) => connect(network, goes)),
    state(
      "connect-wrong",
      "/accounts?connect=sandbox",
      fill("Name", "cellar"),
      fill("Password", "guessed"),
      keys("Enter"),
      says("The password of cellar is not right")
    ),
    state("reconnect", `/accounts?reconnect=${id.harbour}`, labelled("Password")),
    state("reconnect-consent", `/accounts?reconnect=${demo("youtube")}`, says(/Sign in there as/)),
    state(
      "connect-refused",
      "/accounts?connect=tiktok",
      press("Go to TikTok"),
      press(/^Continue to/),
      press("Deny"),
      says("You did not allow this service on TikTok")
    ),
    state("choose-two", "/accounts?connect=instagram", signIn("bakery-two"), has("[type=checkbox]")),
    state("choose-sixty", "/accounts?connect=instagram", signIn("agency-sixty"), has("[type=checkbox]")),
    state(
      "choose-none",
      "/accounts?connect=instagram",
      signIn("bakery-two"),
      has("[type=checkbox]"),
      keys("Enter"),
      says("Choose at least one account.")
    ),
    state(
      "choose-gone",
      "/accounts?pending=0191f0a0-0000-7000-8000-00000000dead",
      says("This choice has ended")
    ),
    whole("apps", "/accounts/apps", (page) => page.getByRole("link", { name: /^TikTok/ }).waitFor()),
    ...["tiktok", "instagram", "discord", "twitter"].map((app) =>
      whole(`app-${app}`, `/accounts/apps/${app}`, has("main input"))
    ),
    state(
      "app-empty",
      "/accounts/apps/tiktok",
      press("Save"),
      says("Enter the value that the network shows.")
    ),
    state(
      "app-wrong",
      "/accounts/apps/tiktok",
      fill("Client key", "awx7h2kq9tz3"),
      fill("Client secret", "wrong"),
      press("Save"),
      says("One of the two values is wrong.")
    )
  ]
}

const results = (world: World): ReadonlyArray<State> => {
  const { broken, doubt, everything, failed, live, loud, thread, waiting } = world
  const at = ({ id }: { readonly id: string }) => `/posts/${id}`
  const has1 = (one: string) => has(`[data-result][data-state="${one}"]`)
  return [
    whole("result-everything", at(everything), has1("waiting"), has1("doubt"), says("gave no answer")),
    whole("result-sent", at(everything), tab("What was sent"), says("and the entrance is free")),
    whole("result-details", at(everything), has1("doubt"), async (page) => {
      for (const one of await page.getByText("What exactly happened").all()) await one.click()
    }),
    whole("result-live", at(live), has1("live")),
    whole("result-failed", at(failed), has1("failed")),
    whole("result-doubt", at(doubt), has1("doubt")),
    whole("result-repaired", at(broken), has1("repaired")),
    whole("result-repairing", at(loud), says("It has not gone out yet.")),
    whole("result-thread", at(thread), says("Broke off: 1 of 3 are live")),
    whole("result-waiting", at(waiting), has1("waiting")),
    state("result-is-live", at(doubt), press("It is live"), opens),
    state("result-send-again", at(doubt), press("It is not live"), opens, (page) =>
      button(dialog(page), "Send again").click()
    ),
    whole("activity", "/activity", has("[data-cause]"), labelled("What happened")),
    state("activity-is-live", "/activity", press("It is live"), opens)
  ]
}

const shell: ReadonlyArray<State> = [
  whole("settings", "/settings", heading("Keyboard shortcuts")),
  state("settings-name", "/settings", fill("Name", "")),
  state(
    "settings-zones",
    "/settings",
    (page) => page.getByRole("combobox").first().fill("par"),
    has("[role=option]")
  ),
  state(
    "settings-zone",
    "/settings",
    (page) => page.getByRole("combobox", { name: "Time zone" }).fill("tok"),
    (page) => page.getByRole("option", { name: "Tokyo" }).click(),
    heading("Change to Tokyo time?")
  ),
  whole("settings-account", "/settings/account", says("this browser")),
  whole("settings-connected-apps", "/settings/connected-apps", says("Test app")),
  whole("settings-notifications", "/settings/notifications", heading("Where you are told")),
  whole("settings-import", "/settings/import", heading("A file of posts")),
  whole("settings-export", "/settings/export", heading("Export this workspace")),
  state("not-found", "/nothing/here", says("Not Found")),
  state("person", "/settings", press(/account and settings$/), menu),
  { ...state("more-pages", "/settings", press("More"), menu), on: "phone" },
  state("offline", "/accounts", has("[data-account]"), offline, says("No connection."))
]

export const states = (world: World): ReadonlyArray<State> => [
  ...calendar(world),
  ...composer(world),
  ...library(world),
  ...queue(),
  ...accounts(world),
  ...results(world),
  ...shell
]

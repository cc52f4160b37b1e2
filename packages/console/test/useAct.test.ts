import { toastQueue } from "@carillon/console/ui/toast"
import { AuthenticationError, ConflictError, ConnectionError, InvalidRequestError } from "@carillon/sdk"
import { beforeEach, describe, expect, it, vi } from "@effect/vitest"

const assign = vi.fn()
const boot = {
  member: { id: "member-1", name: "Ada" },
  workspaces: [
    { id: "workspace-1", name: "Bells", timezone: "Europe/Paris", has_posts: true, role: "owner" }
  ],
  public_url: "https://carillon.test"
}

// What the modules ask of the page at their import.
vi.stubGlobal("location", {
  search: "?view=week",
  pathname: "/app",
  origin: "https://carillon.test",
  assign
})
vi.stubGlobal("document", { getElementById: () => ({ textContent: JSON.stringify(boot) }) })
const { act, undoLast } = await import("@carillon/console/data/useAct")

/** The messages on the screen, the newest first, as `icon text [action]`. */
const shown = () =>
  toastQueue.visibleToasts.map(
    ({ content: { action, icon, text } }) => `${icon} ${text}${action ? ` [${action.label}]` : ""}`
  )

const press = (label: string) => {
  const toast = toastQueue.visibleToasts.find(({ content }) => content.action?.label === label)!
  toastQueue.close(toast.key)
  toast.content.action!.act()
}

const moved = { do: () => Promise.resolve(), done: "Moved", failed: "Not moved" }
const undone = { do: () => Promise.resolve(), done: "Moved back", failed: "Not moved" }
const failing = (error: Error) => ({
  ...moved,
  do: async () => {
    throw error
  }
})
const offline = new ConnectionError("No answer", { code: "connection_failed" })
const stale = new ConflictError("Changed since.", { code: "stale_version", status: 409 })

describe("an act", () => {
  beforeEach(async () => {
    // One that says nothing withdraws the offer of the test before.
    await act({ do: () => Promise.resolve(), failed: "" })
    toastQueue.clear()
    assign.mockClear()
  })

  it("shows its outcome before the service has answered, and reads again afterwards", async () => {
    const events: Array<string> = []
    const log = (event: string) => () => void events.push(event)
    const done = await act({
      show: () => {
        events.push("show")
        return log("take back")
      },
      do: () => Promise.resolve().then(log("answer")),
      done: () => "Moved",
      failed: "Not moved",
      changed: log("changed")
    })
    expect(done).toBe(true)
    expect(events).toEqual(["show", "answer", "changed"])
    expect(shown()).toEqual(["check Moved"])
  })

  it("is taken back on the screen when the service refuses, which says why", async () => {
    const events: Array<string> = []
    const done = await act({
      ...failing(new InvalidRequestError("The time has passed.", { code: "invalid", status: 422 })),
      show: () => () => void events.push("take back"),
      changed: () => void events.push("changed")
    })
    expect(done).toBe(false)
    expect(events).toEqual(["take back", "changed"])
    expect(shown()).toEqual(["cross Not moved. The time has passed."])
  })

  it("without a connection offers to try again", async () => {
    let tries = 0
    const once = () => (tries++ === 0 ? Promise.reject(offline) : Promise.resolve())
    await act({ ...moved, do: once })
    expect(shown()).toEqual(["cross Not moved: no connection [Try again]"])
    press("Try again")
    await vi.waitFor(() => expect(shown()).toEqual(["check Moved"]))
  })

  it("is undone with what the service answered", async () => {
    const taken: Array<string> = []
    await act({
      ...moved,
      do: () => Promise.resolve("version 2"),
      undo: (answer: string) => ({ ...undone, do: async () => void taken.push(answer) })
    })
    expect(shown()).toEqual(["check Moved [Undo]"])
    press("Undo")
    await vi.waitFor(() => expect(shown()).toEqual(["check Moved back"]))
    expect(taken).toEqual(["version 2"])
  })

  it("withdraws the offer to undo the one before", async () => {
    const taken: Array<string> = []
    const move = (name: string) =>
      act({
        ...moved,
        done: name,
        undo: () => ({ ...undone, do: async () => void taken.push(name) })
      })
    await move("first")
    await move("second")
    expect(shown()).toEqual(["check second [Undo]"])
    undoLast()
    await vi.waitFor(() => expect(shown()).toEqual(["check Moved back"]))
    undoLast()
    await move("third")
    expect(shown()).toEqual(["check third [Undo]", "check Moved back"])
    expect(taken).toEqual(["second"])
  })

  it("says in its own words that somebody else was first", async () => {
    await act({
      ...failing(stale),
      conflict: async () => ({ icon: "warning", text: "Ada changed it" })
    })
    await act(failing(stale))
    expect(shown()).toEqual(["cross Not moved. Changed since.", "warning Ada changed it"])
  })

  it("leads to the sign-in where the session has ended, and back", async () => {
    await act(failing(new AuthenticationError("Signed out.", { code: "signed_out", status: 401 })))
    expect(shown()).toEqual([])
    expect(assign).toHaveBeenCalledWith("/sign-in?next=%2Fapp%3Fview%3Dweek")
  })
})

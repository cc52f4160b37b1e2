import { TargetState, terminalStates, transition, type TargetEvent, targetEvents } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const persons: ReadonlySet<TargetEvent> = new Set([
  "enqueue",
  "withdraw",
  "retry",
  "force_retry",
  "confirm_published",
  "confirm_not_published",
  "continue",
  "confirm_broken"
])
/** Of a target of which an item is live; these others only of one of which none is. */
const ofBegunThreads: ReadonlySet<TargetEvent> = new Set(["settle_broken", "continue", "confirm_broken"])
const ofOthers: ReadonlySet<TargetEvent> = new Set([
  "enqueue",
  "withdraw",
  "settle_failed",
  "confirm_not_published"
])
/** The events of a service that runs. */
const events = targetEvents.filter((event) => !event.startsWith("restore"))
const history = Schema.Array(Schema.Literals(events)).check(Schema.isMaxLength(60))

/** Every state of a history that begins as a draft; what may not happen changes nothing. */
const states = (events: ReadonlyArray<TargetEvent>) => {
  const passed: Array<{ readonly from: TargetState; readonly event: TargetEvent; readonly to: TargetState }> =
    []
  let state: TargetState = "draft"
  let live = false
  for (const event of events) {
    const to = transition(state, event)
    if (to === undefined || (live ? ofOthers : ofBegunThreads).has(event)) continue
    if (event === "settle_item") live = true
    passed.push({ from: state, event, to })
    state = to
  }
  return passed
}

describe("the states of a target", () => {
  it("lead on by themselves or are terminal", () => {
    for (const state of TargetState.literals) {
      const led = events.filter((event) => !persons.has(event) && transition(state, event) !== undefined)
      assert.strictEqual(led.length === 0, terminalStates.has(state) || state === "draft", state)
    }
  })

  it.prop("no history publishes what was never marked, nor doubts it", [history], ([events]) => {
    let marked = false
    for (const { event, to } of states(events)) {
      if (event === "mark") marked = true
      if (["published", "unconfirmed", "unknown"].includes(to)) assert.isTrue(marked)
    }
  })

  it.prop(
    "no history sends again before it is known what became of the commit before",
    [history],
    ([events]) => {
      let open = false
      for (const { from, event } of states(events)) {
        // A platform that honours the key is sent the same commit again: from `unknown`, never from `committing`.
        if (event === "mark") assert.isFalse(open && from !== "unknown")
        open = event === "mark" || (open && !event.startsWith("settle_") && !persons.has(event))
      }
    }
  )

  it.prop(
    "the engine never leaves a terminal state, and nothing but a thread leaves published",
    [history],
    ([events]) => {
      for (const { from, event } of states(events)) {
        assert.isFalse(terminalStates.has(from) && !persons.has(event))
        assert.isFalse(from === "published" && event !== "continue")
      }
    }
  )

  it.prop("a person takes nothing from a commit that is under way", [history], ([events]) => {
    for (const { from, event } of states(events)) {
      if (persons.has(event)) assert.isFalse(from === "committing" || from === "unknown")
    }
  })

  it("the states of a target are left by a restore where nobody knows them, or where nothing happens by itself", () => {
    for (const state of TargetState.literals) {
      const after = transition(state, "restore") ?? state
      assert.isTrue(terminalStates.has(after) || after === "draft", state)
    }
  })
})

import { passwordTicket, passwordTicketMadeAt } from "@carillon/server/auth/PasswordLink"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"

const key = new Uint8Array(32).fill(7)
const made = DateTime.makeUnsafe("2030-01-01T12:00:00.000Z")
const ticket = passwordTicket(key, made)
const [time, signature] = ticket.split(".") as [string, string]
const isGood = (tried: string, at: string, by = key) =>
  Option.isSome(passwordTicketMadeAt(by, tried, DateTime.makeUnsafe(at)))

describe("a link to a new password", () => {
  it("says when it was made, for a quarter of an hour", () => {
    assert.deepStrictEqual(passwordTicketMadeAt(key, ticket, made), Option.some(made))
    assert.isTrue(isGood(ticket, "2030-01-01T12:14:59.999Z"))
    assert.isFalse(isGood(ticket, "2030-01-01T12:15:00.000Z"))
  })

  it("the time of a link to a new password may come from a clock that is a little ahead, and not from the future", () => {
    assert.isTrue(isGood(ticket, "2030-01-01T11:59:00.001Z"))
    assert.isFalse(isGood(ticket, "2030-01-01T11:59:00.000Z"))
  })

  for (const [what, tried] of [
    ["a later time", `${Number(time) + 1}.${signature}`],
    ["another signature", `${time}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`],
    ["no signature", time],
    ["more after it", `${ticket}.x`],
    ["a time that is none", `x.${signature}`],
    ["nothing", ""]
  ] as const) {
    it(`a link to a new password is nobody's with ${what}`, () =>
      assert.isFalse(isGood(tried, "2030-01-01T12:00:00.000Z")))
  }

  it("a link to a new password is nobody's under another secret", () =>
    assert.isFalse(isGood(ticket, "2030-01-01T12:00:00.000Z", new Uint8Array(32).fill(8))))
})

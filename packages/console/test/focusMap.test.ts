import { makeFocusMap } from "@carillon/console/post/makeFocusMap"
import { describe, expect, it } from "@effect/vitest"

/** As much of an element as is focused. */
const element = () => {
  const made = { focused: 0, focus: () => void (made.focused += 1) }
  return made as { readonly focused: number } & HTMLElement
}

describe("the focus", () => {
  it("goes to an element that is on the page", () => {
    const map = makeFocusMap()
    const here = element()
    map.register("a", here)
    map.focus("a")
    expect(here.focused).toBe(1)
  })

  it("waits for an element that comes later, once", () => {
    const map = makeFocusMap()
    const later = element()
    map.focus("a")
    map.register("b", element())
    const forget = map.register("a", later)
    forget()
    map.register("a", later)
    expect(later.focused).toBe(1)
  })

  it("is at another element meanwhile", () => {
    const map = makeFocusMap()
    const [first, second] = [element(), element()]
    map.register("b", second)
    map.focus("a", "b")
    map.register("a", first)
    expect([first.focused, second.focused]).toEqual([1, 1])
  })

  it("does not wait for an element after it went to another", () => {
    const map = makeFocusMap()
    const [first, second] = [element(), element()]
    map.focus("a")
    map.register("b", second)
    map.focus("b")
    map.register("a", first)
    expect([first.focused, second.focused]).toEqual([0, 1])
  })

  it("keeps the element that took the place of one that goes", () => {
    const map = makeFocusMap()
    const second = element()
    const forget = map.register("a", element())
    map.register("a", second)
    forget()
    expect(map.at("a")).toBe(second)
  })
})

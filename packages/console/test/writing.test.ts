import { describe, expect, it } from "@effect/vitest"
import type { Account } from "@carillon/console/data/accounts"
import { accountMatches } from "@carillon/console/data/accountMatches"
import { countersOf } from "@carillon/console/compose/counters"
import { diffWords } from "@carillon/console/compose/diffWords"
import { endOf } from "@carillon/console/compose/endOf"
import { change, emptyForm, type Form, partAt } from "@carillon/console/compose/Form"
import { insertion } from "@carillon/console/compose/insertion"
import { effectiveOptions, ownOptions, tabsOf } from "@carillon/console/compose/levels"
import { resolvedFor } from "@carillon/console/compose/resolvedFor"
import { accountsIn, composeSearch } from "@carillon/console/compose/composeSearch"
import { away, firstTime, shownTime } from "@carillon/console/compose/times"

const account = (id: number, platform: Account["platform"]) => ({ id, platform, name: `@${id}` }) as Account

const shown = (pieces: ReadonlyArray<{ readonly text: string; readonly differs: boolean }>) =>
  pieces.map(({ differs, text }) => (differs ? `<${text}>` : text)).join("")

describe("two texts", () => {
  it("show the words that only one of them has", () => {
    const [mine, theirs] = diffWords("Bells at six, stay warm.", "Bells at half past six, stay.")
    expect(shown(mine)).toBe("Bells at six, stay< warm>.")
    expect(shown(theirs)).toBe("Bells at< half past> six, stay.")
  })

  it("two texts that have nothing in common are marked whole, and the same ones nowhere", () => {
    expect(diffWords("", "New").map(shown)).toEqual(["", "<New>"])
    expect(diffWords("Same text", "Same text").map(shown)).toEqual(["Same text", "Same text"])
  })
})

describe("a tag or a mention", () => {
  it("stands apart from what is before it", () => {
    expect(insertion("Bells", 5, "#")).toBe(" #")
    expect(insertion("Bells ring", 6, "@")).toBe("@")
    expect(insertion("Bells\n", 6, "#")).toBe("#")
    expect(insertion("Bells\u00a0", 6, "#")).toBe("#")
    expect(insertion("🎄", 2, "@")).toBe(" @")
    expect(insertion("Bells", 0, "#")).toBe("#")
    expect(insertion("", 0, "#")).toBe("#")
  })
})

describe("the first time of a new post", () => {
  const now = { day: "2026-12-03", time: "14:20" }

  it("is the one that was asked for, the morning of a day, or soon", () => {
    expect(firstTime("2026-12-04T18:15", now)).toBe("2026-12-04T18:15")
    expect(firstTime("2026-12-04", now)).toBe("2026-12-04T09:00")
    expect(firstTime("2026-12-03", now)).toBe("2026-12-03T15:00")
    expect(firstTime(undefined, now)).toBe("2026-12-03T15:00")
    expect(firstTime(undefined, { day: "2026-12-31", time: "23:40" })).toBe("2027-01-01T01:00")
  })

  it("the first time of a new post is shown as people say it", () => {
    expect(shownTime("2026-12-04T18:00")).toBe("Fri 4 Dec, 18:00")
    expect(away(new Date("2026-12-04T17:00Z"), new Date("2026-12-03T13:20Z"))).toBe("in 28 hours")
    expect(away(new Date("2026-12-09T17:00Z"), new Date("2026-12-03T13:20Z"))).toBe("in 6 days")
  })
})

describe("the levels of a text", () => {
  const accounts = [account(1, "mastodon"), account(2, "sandbox"), account(3, "sandbox")]
  const form: Form = {
    ...emptyForm,
    accounts: [1, 2, 3],
    caption: "For all https://carillon.example/a/long/way"
  }

  it("the levels of a text are the networks, and the accounts of one that has several", () => {
    expect(tabsOf(form, accounts).map(({ level }) => level)).toEqual([
      "everywhere",
      "mastodon",
      "sandbox",
      2,
      3
    ])
    const own = change(form, { type: "caption", of: 1, caption: "Mine" })
    expect(tabsOf(own, accounts).map(({ level }) => level)).toContain(1)
  })

  it("inherit from the one above", () => {
    const own = change(form, { type: "caption", of: "sandbox", caption: "For the test network" })
    expect(partAt(own, "caption", { level: 2, platform: "sandbox" })).toEqual({
      value: "For the test network",
      inherited: "For the test network",
      own: false
    })
    expect(partAt(own, "caption", { level: "mastodon", platform: "mastodon" })).toMatchObject({
      value: form.caption,
      own: false
    })
  })

  it("count each post of a thread, and in the first all that is joined", () => {
    const members = [account(2, "sandbox"), account(4, "linkedin")]
    const form: Form = {
      ...emptyForm,
      accounts: [2, 4],
      caption: "One",
      joins: true,
      thread: [{ key: 0, caption: "Three", media: [] }]
    }
    const counted = (index: number) =>
      countersOf(form, members, new Map(), "everywhere", index).map(({ platform, value }) => [
        platform,
        value
      ])
    expect(counted(0)).toEqual([
      ["sandbox", 3],
      ["linkedin", "One\n\nThree".length]
    ])
    expect(counted(1)).toEqual([["sandbox", 5]])
  })

  it("are marked where the posts that a network joins pass its limit together", () => {
    const members = [account(4, "linkedin")]
    const items = [3000, 100, 10].map((length, key) => ({ key, caption: "a".repeat(length), media: [] }))
    const form = { ...emptyForm, accounts: [4], caption: "One", thread: items, joins: true }
    const counters = countersOf(form, members, new Map(), "everywhere")
    const first = { caption: "One" }
    expect(endOf(counters)! > 3).toBe(true)
    expect(endOf(counters, [first])).toBe(3000 - "One\n\n".length)
    expect(endOf(counters, [first, items[0]!])).toBe(0)
    expect(endOf(counters, [first, ...items.slice(0, 2)])).toBe(0)
  })

  it("inherit files in the same way, and may have none where others have some", () => {
    const shared = change(form, { type: "media", of: "everywhere", media: ["a", "b"] })
    const none = change(shared, { type: "media", of: "sandbox", media: [] })
    expect(partAt(none, "media", { level: 2, platform: "sandbox" })).toEqual({
      value: [],
      inherited: [],
      own: false
    })
    const own = change(none, { type: "media", of: 1, media: ["c"] })
    expect(partAt(own, "media", { level: 1, platform: "mastodon" })).toEqual({
      value: ["c"],
      inherited: ["a", "b"],
      own: true
    })
    expect(tabsOf(own, accounts).map(({ level }) => level)).toContain(1)
    const back = change(own, { type: "media", of: 1, media: undefined })
    expect(resolvedFor(back, account(1, "mastodon")).media).toEqual(["a", "b"])
  })

  it("give an account the options of its network, besides those that it has changed", () => {
    const shared = change(form, { type: "options", of: "sandbox", options: { title: "For all", note: "a" } })
    const changed = ownOptions(shared, 2, "sandbox", { title: "Mine", note: "a" })
    expect(changed).toEqual({ title: "Mine" })
    const own = change(shared, { type: "options", of: 2, options: changed })
    expect(effectiveOptions(own, 2, "sandbox")).toEqual({ title: "Mine", note: "a" })
    expect(resolvedFor(own, account(2, "sandbox")).options).toEqual({ title: "Mine", note: "a" })
    expect(ownOptions(own, "sandbox", "sandbox", { title: "New" })).toEqual({ title: "New" })
  })

  it("count in the network's own unit, each network once", () => {
    const own = change(form, { type: "caption", of: 3, caption: "Mine" })
    expect(countersOf(own, accounts, new Map(), "everywhere")).toMatchObject([
      { platform: "mastodon", value: 31, most: 500, tags: null, links: 23, own: false },
      { platform: "sandbox", value: 43, most: 500, tags: null, links: null, own: false },
      { platform: "sandbox", value: 4, most: 500, tags: null, links: null, own: true }
    ])
    expect(countersOf(own, accounts, new Map(), 3)).toMatchObject([{ value: 4, own: false }])
    const both = change(own, { type: "caption", of: 2, caption: "Its own" })
    expect(
      countersOf(both, accounts, new Map(), "everywhere").filter((counter) => counter.own)
    ).toMatchObject([
      { account: "@2", value: 7 },
      { account: "@3", value: 4 }
    ])
  })

  it("end where the strictest of the networks that count it is passed", () => {
    const members = [account(1, "mastodon"), account(2, "sandbox"), account(5, "bluesky")]
    const ended = (caption: string, accounts = members) =>
      endOf(countersOf({ ...emptyForm, accounts: [1, 2, 5], caption }, accounts, new Map(), "everywhere"))
    expect(ended("a".repeat(300))).toBeNull()
    expect(ended("a".repeat(374))).toBe(300)
    expect(ended("👨‍👩‍👧‍👦".repeat(301))).toBe("👨‍👩‍👧‍👦".repeat(300).length)
    // What counts as a link on one network is cut on another.
    const address = `https://tower.example.com/${"a".repeat(600)}`
    expect(ended(address)).toBe(300)
    expect(ended(address, members.slice(0, 1))).toBeNull()
  })

  it("end nowhere for a network that has a text of its own", () => {
    const own = change(
      { ...emptyForm, accounts: [1, 5], caption: "Short" },
      { type: "caption", of: "bluesky", caption: "a".repeat(301) }
    )
    const members = [account(1, "mastodon"), account(5, "bluesky")]
    expect(endOf(countersOf(own, members, new Map(), "everywhere"))).toBeNull()
    expect(endOf(countersOf(own, members, new Map(), "bluesky"))).toBe(300)
  })

  it("count by the limits of each server, of which accounts of one network may have several", () => {
    const limits = { characters: 5000, address_characters: 30 }
    const two = [account(1, "mastodon"), { ...account(2, "mastodon"), limits }]
    const counters = countersOf(form, two, new Map(), "everywhere")
    expect(new Set(counters.map(({ key }) => key)).size).toBe(2)
    expect(counters).toMatchObject([
      { platform: "mastodon", value: 31, most: 500, links: 23 },
      { platform: "mastodon", value: 38, most: 5000, links: 30 }
    ])
  })
})

describe("a search among accounts", () => {
  const north = {
    ...account(1, "pinterest"),
    username: "north-shop",
    name: "@north-shop",
    display_name: "The Bells"
  }

  it("finds the words of their names, user names and networks, in any order", () => {
    for (const sought of ["", "north", "@north", "SHOP", "pint", "pinterest north", " shop  north ", "bells"])
      expect(accountMatches(sought)(north), sought).toBe(true)
    for (const sought of ["south", "pint south"]) expect(accountMatches(sought)(north), sought).toBe(false)
  })
})

describe("the address of a new post", () => {
  it("takes what it can read and leaves the rest out", () => {
    expect(composeSearch({ at: "2026-12-04T18:00", accounts: "3,1", from: "a" })).toEqual({
      at: "2026-12-04T18:00",
      accounts: "3,1",
      from: "a"
    })
    expect(composeSearch({ at: "tomorrow", accounts: "x" })).toEqual({})
    expect(composeSearch({ accounts: 3 })).toEqual({ accounts: "3" })
    expect(accountsIn({ accounts: "3,1,3" })).toEqual([3, 1])
  })
})

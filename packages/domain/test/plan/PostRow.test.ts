import { keysOfRows, planRow, requestToCheck, Unusable, type Workspace } from "@carillon/domain/plan"
import { fromIso } from "@carillon/domain"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { createHash } from "node:crypto"

const workspace: Workspace = {
  accounts: async () => [{ id: 1, platform: "sandbox", username: "demo", status: "connected" }],
  timeZone: async () => "Europe/Paris",
  time: async (text, zone) => fromIso(text, zone),
  attachment: (value) => {
    if (value.startsWith("no")) throw new Unusable(`${value} is not there.`)
    return { file: value }
  }
}
const planned = (cells: Record<string, string>) => planRow(workspace, { line: 2, cells })

it("a row becomes the request that its cells say, with the ids of its files", async () => {
  const plan = await planned({
    caption: "Bells",
    to: "@demo",
    at: "2090-12-24 09:00",
    media: "a.jpg",
    thread_2: "More",
    "sandbox.caption": "Here"
  })
  assert.deepStrictEqual<unknown>(plan.request(new Map([["file a.jpg", "id"]])), {
    social_accounts: [1],
    caption: "Bells",
    media: ["id"],
    thread: [{ caption: "More", media: [] }],
    scheduled_at: "2090-12-24T08:00:00.000Z",
    platform_configurations: { sandbox: { caption: "Here" } }
  })
})

it("a row says all that is wrong with it at once", async () => {
  const error = await planned({
    captoin: "Bells",
    to: "@nobody, bluesky",
    media: "no.jpg,no.png",
    thread_fallback: "split",
    at: "2090-12-24 09:00",
    queue: "maybe",
    "tiktok.nothing": "1"
  }).then(
    () => assert.fail(),
    (thrown: Unusable) => thrown
  )
  assert.deepStrictEqual(
    [error, ...error.others].map(({ message }) => message.split(/[:;.] /)[0]),
    [
      'unknown column "captoin"',
      'queue is "maybe"',
      'thread_fallback is "split"',
      "no.jpg is not there.",
      "no.png is not there.",
      "to",
      "to",
      "tiktok.nothing"
    ]
  )
})

it("a row with nothing but files is checked when they are there", async () => {
  const plan = await planned({ to: "1", at: "now", media: "a.jpg" })
  assert.isUndefined(requestToCheck(plan))
})

it.prop(
  "a row's key is the SHA-256 of its content and of how often that came before",
  [Schema.String],
  ([caption]) => {
    const row = () => ({ line: 2, cells: { caption } })
    const hash = (nth: number) =>
      `import-${createHash("sha256")
        .update(`run${nth}${JSON.stringify({ caption })}`)
        .digest("hex")}`
    assert.deepStrictEqual([...keysOfRows([row(), row()], "run").values()], [hash(1), hash(2)])
  }
)

import { cidOf } from "@carillon/server/platforms/bluesky/Cid"
import { assert, it } from "@effect/vitest"
import type { Schema } from "effect"

const link = "bafkreihwqn2azxwwnagz3fg742rfrzcms2rhe6fityk2znjmbohterj5ha"

// Each CID is that of @ipld/dag-cbor and multiformats for the same record.
it.each<readonly [string, Schema.Json, string]>([
  ["nothing", {}, "bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua"],
  [
    "a text of several bytes a character, and what has no parts",
    {
      $type: "app.bsky.feed.post",
      text: `Grüße 🔔 ${"x".repeat(300)}`,
      langs: ["en"],
      on: true,
      off: false,
      none: null
    },
    "bafyreihe7ah2xs3lartistbm2b4zzkzyty4riv4r64lpai53r3vjarekfq"
  ],
  [
    "numbers of every length, and keys that sort by theirs",
    {
      sizes: [0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -1, -25],
      bb: 1,
      a: 2,
      ab: 3,
      é: 4,
      z: []
    },
    "bafyreihr2oikxmr27btpmak4qhcm4yztdzhgrcqvvh7femtnlijhbnqopu"
  ],
  [
    "a link to a file",
    { embed: { image: { $type: "blob", ref: { $link: link }, mimeType: "image/jpeg", size: 70_000 } } },
    "bafyreicqrf3tro4ybtulvpklx6466cnwqez3rtpwa4hyvgbhbij2uslii4"
  ]
])("the CID of %s is as everybody computes it", (_, record, cid) => {
  assert.strictEqual(cidOf(record), cid)
})

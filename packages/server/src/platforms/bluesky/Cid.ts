import * as dagCbor from "@ipld/dag-cbor"
import type { Schema } from "effect"
import { CID } from "multiformats/cid"
import { create } from "multiformats/hashes/digest"
import { createHash } from "node:crypto"

const sha256 = 0x12

/** The address of a record by its content: CIDv1, DAG-CBOR, SHA-256 (https://atproto.com/specs/data-model#link-and-cid-formats). */
export const cidOf = (record: Schema.Json): string => {
  const digest = createHash("sha256")
    .update(dagCbor.encode(withLinks(record)))
    .digest()
  return CID.createV1(dagCbor.code, create(sha256, digest)).toString()
}

/** JSON writes a link as `{ "$link": "bafy..." }`. */
const withLinks = (value: Schema.Json): unknown => {
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map(withLinks)
  const { $link, ...record } = value as Schema.JsonObject
  return typeof $link === "string"
    ? CID.parse($link)
    : Object.fromEntries(Object.entries(record).map(([key, one]) => [key, withLinks(one)]))
}

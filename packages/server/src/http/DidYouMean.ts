import { CreatePost, platformIds, platformOptions } from "@carillon/domain"
import { isNear } from "../Misspelt.ts"

const entries: ReadonlyArray<PropertyKey> = ["platform_configurations", "account_configurations"]

/** The networks whose posts have an option. */
const networksWith = (option: string) =>
  platformIds.filter((id) => id !== "sandbox" && Object.hasOwn(platformOptions[id].fields, option))

/** What a field that is not known at its place was meant to be, as further sentences: misspelt, or at another place. */
export const didYouMean = (path: ReadonlyArray<PropertyKey>, known: ReadonlyArray<string>): string => {
  const name = String(path.at(-1))
  const near = known.find((one) => isNear(name, one))
  if (near !== undefined) return ` Did you mean ${near}?`
  const inEntry = path.some((one) => entries.includes(one))
  if (Object.hasOwn(CreatePost.fields, name))
    return inEntry ? ` Did you mean ${name} of the post itself?` : ""
  const networks =
    inEntry || path.includes("thread") || known.includes("platform_configurations") ? networksWith(name) : []
  if (networks.length === 0) return ""
  const file = name === "alt_text" ? ", or alt_text of the media item, which all of its posts send" : ""
  return ` Did you mean platform_configurations.<platform>.${name} (for: ${networks.join(", ")})${file}?`
}

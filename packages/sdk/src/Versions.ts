import { InvalidRequestError } from "./Errors.ts"

const etags = new WeakMap<object, string>()

/** Remembers the `ETag` of an answer. */
export const rememberVersion = (answer: unknown, etag: string | null): void => {
  if (etag !== null && typeof answer === "object" && answer !== null) etags.set(answer, etag)
}

/** The `If-Match` for a thing as it was read, or for an ETag. */
export const versionOf = (read: object | string): string => {
  const etag = typeof read === "string" ? read : etags.get(read)
  if (etag === undefined) {
    throw new InvalidRequestError(
      "The version of this object is not known. Give ifMatch an object that this client answered with, not a copy of it.",
      { code: "version_not_known" }
    )
  }
  return etag
}

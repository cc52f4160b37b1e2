/** A value for a media id: a file here, an address that the service fetches, or an item of the library. */
export type Attachment = { readonly file: string } | { readonly url: string } | { readonly id: string }

/** What is no file. */
export const otherThanFile = (value: string): Attachment | undefined => {
  if (/^https?:\/\//i.test(value)) return { url: value }
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? { id: value } : undefined
}

/** A file or address that is named twice is sent once. */
export const keyOf = (attachment: Attachment): string => Object.entries(attachment)[0]!.join(" ")

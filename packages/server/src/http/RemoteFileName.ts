import { cleanFileName } from "@carillon/domain"
import { MIMEType } from "node:util"

/** The name of a downloaded file: Content-Disposition's (RFC 6266), else the URL's last segment, else null. */
export const remoteFileName = (disposition: string | undefined, url: URL): string | null => {
  const parameters = dispositionParameters(disposition)
  const candidates = [
    extended(parameters?.get("filename*")),
    headerText(parameters?.get("filename")),
    percentDecoded(url.pathname.split("/").at(-1) ?? "")
  ]
  return candidates.map(cleanFileName).find((name) => name !== "") ?? null
}

/** A media type's essence in lower case. */
export const contentTypeOf = (header: string | undefined): string | null => {
  try {
    return header === undefined ? null : new MIMEType(header).essence
  } catch {
    return null
  }
}

/** The parameters of a disposition are written like those of a media type. */
const dispositionParameters = (disposition: string | undefined) => {
  try {
    return disposition === undefined ? undefined : new MIMEType(`disposition/${disposition}`).params
  } catch {
    return undefined
  }
}

/** RFC 8187: charset'language'percent-encoded. */
const extended = (value: string | null | undefined): string =>
  percentDecoded(/^utf-8'[^']*'(.*)$/i.exec(value ?? "")?.[1] ?? "")

/** Header values arrive as Latin-1, but most servers write UTF-8 into them. */
export const headerText = (value: string | null | undefined): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(value ?? "", "latin1"))
  } catch {
    return value ?? ""
  }
}

const percentDecoded = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

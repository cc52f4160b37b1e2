import { loopback } from "./RedirectAddress.ts"

/** The place that a browser goes to after consent, in words, and its kind. */
export const destination = (redirect: string) => {
  const url = new URL(redirect)
  if (loopback.has(url.hostname)) return { shown: "a program on this computer", kind: "loopback" as const }
  return /^https?:$/.test(url.protocol)
    ? { shown: url.host, kind: "site" as const }
    : { shown: `the app behind ${url.protocol}//`, kind: "scheme" as const }
}

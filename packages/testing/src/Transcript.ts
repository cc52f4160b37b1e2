/** The arguments as a person types them. */
export const typed = (...args: ReadonlyArray<string>): string =>
  args
    .map((arg) => (arg.length > 60 ? `${arg.slice(0, 20)}…` : arg))
    .map((arg) => (/^[\w@.,:/+-]+$/.test(arg) ? arg : `"${arg}"`))
    .join(" ")

/** What is another one in every run becomes one that is as long, so that columns stay where they are. */
export const steady = (screen: string): string =>
  screen
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "01a1fd84-0a5f-7788-97ec-9b46677293d3")
    .replace(
      /20\d\d-\d\d-\d\d(.)\d\d:\d\d:\d\d(\.\d+)?/g,
      (_, t, ms = "") => `2026-11-21${t}18:00:00${ms && ".000"}`
    )
    .replace(/^Key \w+ for/gm, "Key y1u5w1qskqds for")
    .replace(/crl_[\w-]+/g, "crl_…")
    .replace(/\/welcome\/\S+/g, "/welcome/…")
    .replace(/whsec_\S+/g, "whsec_…")
    .replace(/req_[\w-]+/g, "req_…")
    .replace(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, "http://localhost:4400")
    .replace(/\/posts\/\d+/g, "/posts/7500000000000000001")
    .replace(/\(\d+ ms\)/g, "(12 ms)")
    .replace(/\d+ s (ahead of|behind)/g, "0 s ahead of")
    .replace(/\/\S*\/carillon-terminal-\w+/g, "~")
    .replace(/v\d+\.\d+\.\d+/g, "v24.0.0")
    .replace(/[\d.]+ \wiB of [\d.]+ \wiB free/g, "40.0 GiB of 80.0 GiB free")
    .replace(/PostgreSQL [\d.]+, \d+ MiB/g, "PostgreSQL 18.0, 9 MiB")
    .replace(/\(\d{4}_\w+\)/g, "(0100_schema)")
    .replace(/ffmpeg version .*;/g, "ffmpeg version 7.0;")
    // Accounts are numbered over the whole instance.
    .replace(/(sandbox +|account )(\d+)(?= {2})/g, padded)
    .replace(/(sandbox +|account )\d+/g, "$11")
    .replace(/^()(\d+)(?= {2,}sandbox)/gm, padded)
    .replace(/^\d+ \(sandbox/gm, "1 (sandbox")
    .replace(/accounts: \d+ \(sandbox/g, "accounts: 1 (sandbox")

/** An id in a column, which is as wide as before. */
const padded = (_: string, before: string, id: string) => before + "1".padEnd(id.length)

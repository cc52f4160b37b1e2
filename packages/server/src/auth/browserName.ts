/** The first that fits: most browsers also name the ones before them. */
const browsers = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"]
] as const

const systems = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"]
] as const

const named = (names: ReadonlyArray<readonly [RegExp, string]>, userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1]

/** `Firefox on Linux`, as a person calls what sent this header. */
export const browserName = (userAgent: string | null): string => {
  const browser = named(browsers, userAgent ?? "") ?? "A browser"
  const system = named(systems, userAgent ?? "")
  return system === undefined ? browser : `${browser} on ${system}`
}

import { markup } from "./Markup.ts"

/** Each colour as it is on a light and on a dark screen. */
const colors = {
  ink: ["#1c1c28", "#ecebf2"],
  soft: ["#5a5a6e", "#a9a8ba"],
  paper: ["#f6f4f0", "#15151c"],
  card: ["#fff", "#1f1f29"],
  line: ["#dedad2", "#3a3a47"],
  brand: ["#7a4b12", "#e2a04f"],
  tint: ["#f7efe3", "#2a2620"],
  good: ["#1d6b3a", "#7fd6a0"],
  bad: ["#a3231d", "#ff8b82"],
  badtint: ["#fbeceb", "#2e1f20"]
} as const

const properties = (valueOf: (light: string, dark: string) => string) =>
  Object.entries(colors)
    .map(([name, [light, dark]]) => `--${name}:${valueOf(light, dark)}`)
    .join(";")

const font = "system-ui,sans-serif"

/** The colours and the type of a page; a page's own style comes after it. */
export const pageTheme = `
:root{color-scheme:light dark;${properties((light) => light)}}
@media (prefers-color-scheme:dark){:root{${properties((_, dark) => dark)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 ${font};overflow-wrap:anywhere}
`

const bellPath =
  "M12 2a1.5 1.5 0 0 0-1.5 1.5v.7C7.6 4.9 6 7.4 6 10.5V15l-1.7 2.1c-.5.7 0 1.6.8 1.6h13.8c.8 0 1.3-.9.8-1.6L18 15v-4.5c0-3.1-1.6-5.6-4.5-6.3v-.7A1.5 1.5 0 0 0 12 2Zm-2.3 18a2.4 2.4 0 0 0 4.6 0Z"

/** The mark of the service, in the colour of the text around it. */
export const bell = markup`<svg viewBox="0 0 24 24" aria-hidden="true" fill="currentColor"><path d="${bellPath}"/></svg>`

/** The same as an image of its own, as an address that holds it. */
export const bellImage = `data:image/svg+xml,${encodeURIComponent(
  markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="${colors.brand[0]}" d="${bellPath}"/></svg>`
    .markup
)}`

import type { Page } from "playwright-core"

/** The console's own, and for whom it does not load: about as wide as those of phones and Macs, and a fifth wider. Debian has both. */
export const fonts = { own: "Inter Variable", narrow: "Liberation Sans", wide: "DejaVu Sans" }
const widths = [360, 390, 430, 768, 1024, 1280, 1920]

/** A phone's width in the own font, and a desk's in the wide one; with LONG, all in all three. */
const looked: ReadonlyArray<readonly [width: number, font: keyof typeof fonts]> = !process.env["LONG"]
  ? [
      [390, "own"],
      [1280, "wide"]
    ]
  : widths.flatMap((width) => (["own", "narrow", "wide"] as const).map((font) => [width, font] as const))

/**
 * The words that are broken over two lines although one line would hold them, and those that stick out of what they are in,
 * in every text of the page that is seen. A day of a tablet's month, or a lane of a phone's week, may have no room for a word of a caption.
 */
const misplacedWords = `(() => {
  const found = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const inside = text.parentElement
    if (inside.closest("script, style, textarea, option, svg, .unseen, .avatar, [data-tile]") !== null) continue
    if (!inside.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    for (const { 0: word, index } of text.data.matchAll(/[\\p{Script=Latin}\\p{M}\\p{N}_@’'"“”(),:;!?]+/gu)) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
      const named = (one) => one.tagName.toLowerCase() + "." + one.className
      if (word.length <= 30 && new Set(lines.map(({ top }) => Math.round(top))).size > 1) found.add(word + " breaks in " + named(inside))
      for (let around = inside; around !== document.body; around = around.parentElement) {
        const { display, overflowX, position } = getComputedStyle(around)
        if (overflowX !== "visible") break
        const { left, right } = around.getBoundingClientRect()
        if (!/^inline$|contents/.test(display) && lines.some((line) => line.left < left - 1 || line.right > right + 1)) {
          found.add(word + " sticks out of " + named(around))
          break
        }
        if (position === "absolute" || position === "fixed") break
      }
    }
  }
  return [...found]
})()`

/** Boxes that end in an ellipsis and hold more than one thing: what comes last, such as an outcome after a caption, is cut off. */
const cutOff = `[...document.querySelectorAll("body *")].flatMap((box) => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(box)
  const isCut =
    (textOverflow === "ellipsis" && box.scrollWidth > box.clientWidth + 1) ||
    (webkitLineClamp !== "none" && box.scrollHeight > box.clientHeight + 1)
  if (!isCut || !box.checkVisibility() || box.matches("input, textarea, select")) return []
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  const parents = new Set()
  let last = ""
  while (texts.nextNode() !== null) {
    const { data, parentElement } = texts.currentNode
    if (data.trim() === "" || parentElement.closest(".unseen") !== null) continue
    parents.add(parentElement)
    last = data.trim()
  }
  return parents.size > 1 ? [last + " is cut off in " + box.tagName.toLowerCase() + "." + box.className] : []
})`

/** What scrolls sideways and is not meant to. */
const sideways = `(() => {
  const meant = "[data-sideways], [role=tablist]"
  return [document.documentElement, ...document.querySelectorAll("body *")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.checkVisibility() && !one.matches(meant))
    .filter((one) => one === document.documentElement || ["auto", "scroll"].includes(getComputedStyle(one).overflowX))
    .map((one) => one.tagName.toLowerCase() + "." + one.className + ", " + (one.scrollWidth - one.clientWidth) + " px")
})()`

/** The same page in the fonts at the widths: no word is broken that need not be, and nothing scrolls sideways. */
export const looks = async (page: Page, name: string, widths = looked) => {
  const found: Array<string> = []
  for (const [width, font] of widths) {
    await page.setViewportSize({ width, height: width < 600 ? 844 : 860 })
    const wrong = await page.evaluate<ReadonlyArray<string>>(
      `document.documentElement.style.setProperty("--font", ${JSON.stringify(fonts[font])}),
       new Promise((resolve) => requestAnimationFrame(() => resolve([${misplacedWords}, ${cutOff}, ${sideways}].flat())))`
    )
    found.push(...wrong.map((what) => `${name} at ${width} px, ${font}: ${what}`))
  }
  return found
}

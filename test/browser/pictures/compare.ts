import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import sharp from "sharp"

const red = [220, 0, 60, 255]

const decoded = async (path: string) => {
  const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { pixels: new Uint32Array(data.buffer, data.byteOffset, data.length / 4), ...info }
}

type Picture = Awaited<ReturnType<typeof decoded>>

/** How many pixels differ, and a picture of where; what only one of them has differs. */
const differenceOf = (one: Picture, other: Picture) => {
  const width = Math.max(one.width, other.width)
  const height = Math.max(one.height, other.height)
  const at = ({ height: rows, pixels, width: columns }: Picture, x: number, y: number) =>
    x < columns && y < rows ? pixels[y * columns + x] : undefined
  const where = Buffer.alloc(width * height * 4, 255)
  let count = 0
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (at(one, x, y) === at(other, x, y)) continue
      count++
      where.set(red, (y * width + x) * 4)
    }
  return { count, width, height, where }
}

/** Compares the pictures of two folders by their pixels; what differs, with both and the difference side by side in `out`. */
export const compare = async (
  before: string,
  after: string,
  out?: string
): Promise<ReadonlyArray<string>> => {
  const [old, now] = [before, after].map(
    (folder) => new Set(readdirSync(folder).filter((name) => name.endsWith(".png")))
  ) as [Set<string>, Set<string>]
  if (old.size + now.size === 0) return [`${before} and ${after} have no pictures`]
  if (out !== undefined) mkdirSync(out, { recursive: true })
  const wrong: Array<string> = []
  const all = new Set([...old, ...now])
  for (const name of [...all].toSorted()) {
    if (!old.has(name) || !now.has(name)) {
      wrong.push(`${name} is only in ${old.has(name) ? before : after}`)
      continue
    }
    const paths = [join(before, name), join(after, name)] as const
    const { count, height, where, width } = differenceOf(await decoded(paths[0]), await decoded(paths[1]))
    if (count === 0) continue
    wrong.push(`${name}: ${count} of ${width * height} pixels`)
    if (out === undefined) continue
    const input = [paths[0], paths[1], { raw: { width, height, channels: 4 as const } }]
    await sharp({ create: { width: width * 3 + 40, height, channels: 4, background: "#888" } })
      .composite(
        input.map((from, index) => ({
          ...(typeof from === "string" ? { input: from } : { input: where, ...from }),
          left: index * (width + 20),
          top: 0
        }))
      )
      .png()
      .toFile(join(out, name))
  }
  console.log(`${all.size} pictures, ${wrong.length} of them differ`)
  return wrong
}

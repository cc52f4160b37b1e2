import { readFileSync } from "node:fs"

/** A picture that every network accepts. */
export const bells = readFileSync(new URL("../../../examples/media/bells.jpg", import.meta.url))

import { Flag } from "effect/cli"

/** A whole number, with its default. */
export const intFlag = (name: string, value: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDefault(value), Flag.withDescription(description))

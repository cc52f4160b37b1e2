import { Schema } from "effect"

export const Ok = Schema.Struct({ code: Schema.Literal("ok") })
export const NotOk = Schema.Struct({
  code: Schema.String.check(Schema.makeFilter((code) => code !== "ok")),
  message: Schema.optionalKey(Schema.String)
})

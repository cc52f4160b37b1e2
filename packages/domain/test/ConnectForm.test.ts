import { ConnectAccount, connectForm, credentialForms } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const decode = Schema.decodeUnknownSync(ConnectAccount, { onExcessProperty: "error" })

describe("what is typed to connect an account", () => {
  it.each(Object.entries(credentialForms))(
    "what is typed to connect an account of %s is what the API takes, and the command line can ask for",
    (platform, form) => {
      const { fields } = connectForm(form)
      const required = fields.filter((field) => field.required)
      const typed = (names: typeof fields) => ({
        platform,
        credentials: Object.fromEntries(names.map(({ name }) => [name, "https://north.example"]))
      })
      assert.deepStrictEqual(decode(typed(fields)), typed(fields) as ConnectAccount)
      assert.deepStrictEqual(decode(typed(required)), typed(required) as ConnectAccount)
      for (const { name } of required) {
        assert.throws(() => decode(typed(required.filter((field) => field.name !== name))), name)
      }
      // One argument, and one secret that is read without showing it.
      assert.isAtMost(required.filter(({ secret }) => secret).length, 1)
      assert.isAtMost(required.filter(({ secret }) => !secret).length, 1)
    }
  )
})

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { document, type Operation } from "./Document.ts"

const pointer = (...keys: ReadonlyArray<string>) =>
  keys.map((key) => `/${encodeURIComponent(key.replace(/~/g, "~0").replace(/\//g, "~1"))}`).join("")

const validators = (root: any) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  formats.default(ajv)
  ajv.addFormat("binary", true)
  ajv.addSchema(root, "openapi")
  const compiled = new Map<string, ValidateFunction>()
  return (...keys: ReadonlyArray<string>) => {
    const at = pointer(...keys)
    const found = compiled.get(at) ?? ajv.compile({ $ref: `openapi#${at}` })
    compiled.set(at, found)
    return (value: unknown): string | null => (found(value) ? null : ajv.errorsText(found.errors))
  }
}

const ofRequests = validators(document)

const place = ({ path, method }: Operation) => ["paths", path, method.toLowerCase()]

/** What a JSON body of this operation violates; null: nothing. */
export const bodyProblem = (operation: Operation, body: unknown): string | null =>
  ofRequests(...place(operation), "requestBody", "content", "application/json", "schema")(body)

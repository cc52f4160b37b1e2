import { badRequest } from "@carillon/domain"
import { ByteSize, Effect, Predicate, type Schema, SchemaAST } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"
import { turnFor } from "./Turn.ts"

/** The limit on the body of a request whose credential is known. */
export const withLargeBody = Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(1))

/**
 * The body as text, unless it has too many values. A note of its length stands for each list that is longer than the
 * schemas allow: nothing decodes the items, and no schema takes the note.
 */
export const jsonText = (schemas: ReadonlyArray<Schema.Constraint>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => textWithin(request, schemas))

/** The request with its body within the bounds of `jsonText`. */
export const withinJsonBounds = Effect.fnUntraced(function* (schemas: ReadonlyArray<Schema.Constraint>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const text = yield* textWithin(request, schemas)
  // Most bodies stay as they are.
  if (text === (yield* Effect.orDie(request.text))) return request
  return Object.create(request, { text: { value: Effect.succeed(text) } }) as typeof request
})

const textWithin = (
  request: HttpServerRequest.HttpServerRequest,
  schemas: ReadonlyArray<Schema.Constraint>
) =>
  Effect.flatMap(Effect.tap(Effect.orDie(request.text), turnFor), (given) => {
    const read = withinBounds(given, schemas.flatMap(formsOf), mostValues)
    return "text" in read
      ? Effect.succeed(read.text)
      : Effect.fail(badRequest([{ path: "", code: "invalid_request", message: wrong[read.excess] }]))
  })

/** What a JSON text from a stranger has too much of, told before it is parsed; null: nothing. */
export const jsonExcess = (text: string, most: number): Excess | null => {
  const read = withinBounds(text, none, most)
  return "excess" in read ? read.excess : null
}

type Excess = "values" | "levels"

/** More values than any post needs, and few enough to report all of them in milliseconds. */
export const mostValues = 10_000
export const deepest = 32

const wrong: Readonly<Record<Excess, string>> = {
  values: `The body has more than ${mostValues} values; send fewer at once.`,
  levels: `The body is nested more than ${deepest} levels deep; flatten it.`
}

/** Random, so that no body has it. */
const noteKey = randomUUID()

/** What a note says of the list that it stands for; null: the value is no note. */
export const lengthNote = (value: unknown): string | null =>
  Predicate.hasProperty(value, noteKey) ? String(value[noteKey]) : null

/** An object or a list that is open at a place of the text. */
interface Open {
  readonly isList: boolean
  /** What it may be, by the schemas. */
  readonly forms: ReadonlyArray<SchemaAST.AST>
  /** How many items it may have. */
  readonly most: number
  readonly start: number
  /** What there was before it. */
  readonly values: number
  readonly notes: number
  commas: number
  /** The name of the present field. */
  name: string | undefined
}

/** Before anything is parsed: parsing, decoding and reporting cost by the number and depth of the values. */
const withinBounds = (
  text: string,
  forms: ReadonlyArray<SchemaAST.AST>,
  mostValues: number
): { readonly text: string } | { readonly excess: Excess } => {
  const notes: Array<{ readonly start: number; readonly end: number; readonly says: string }> = []
  const opened: Array<Open> = []
  let open: Open | undefined
  let values = 0
  for (let index = 0; index < text.length; index++) {
    // Without forms no list is cut, so that the number only grows.
    if (values > mostValues && forms.length === 0) return { excess: "values" }
    const code = text.charCodeAt(index)
    switch (code) {
      case quote: {
        const end = endOfString(text, index)
        if (open?.isList === false && open.forms.length > 0) open.name ??= nameOf(text.slice(index + 1, end))
        index = end
        break
      }
      case comma:
        values++
        if (open === undefined) break
        open.commas++
        open.name = undefined
        break
      case bracket:
      case brace: {
        const isList = code === bracket
        // Past the limit there is no need to look closer: the body is refused, or one of the open lists is too long.
        const within: ReadonlyArray<SchemaAST.AST> =
          open === undefined ? forms : values > mostValues ? none : formsIn(open)
        open = {
          isList,
          forms: within,
          most: isList ? mostItems(within) : Infinity,
          start: index,
          values: values++,
          notes: notes.length,
          commas: 0,
          name: undefined
        }
        if (opened.push(open) > deepest) {
          return { excess: "levels" }
        }
        break
      }
      case closingBracket:
      case closingBrace: {
        const closed = opened.pop()
        open = opened.at(-1)
        if (closed === undefined || closed.commas < closed.most) break
        values = closed.values + 1
        notes.length = closed.notes
        const says = `has ${closed.commas + 1} items; the limit is ${closed.most}.`
        notes.push({ start: closed.start, end: index + 1, says })
      }
    }
  }
  if (values > mostValues) {
    return { excess: "values" }
  }
  const kept = notes.map(
    ({ start, says }, index) => `${text.slice(notes[index - 1]?.end ?? 0, start)}{"${noteKey}":"${says}"}`
  )
  return { text: kept.join("") + text.slice(notes.at(-1)?.end ?? 0) }
}

/** What a value may be on the wire. */
const formsOf = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlyArray<SchemaAST.AST> => {
  if (ast.encoding !== undefined) return formsOf({ ast: ast.encoding.at(-1)!.to })
  return SchemaAST.isUnion(ast) ? ast.types.flatMap((type) => formsOf({ ast: type })) : [ast]
}

/** What the present item or field may be; of no interest once a list is too long. */
const formsIn = ({ isList, forms, most, commas, name }: Open): ReadonlyArray<SchemaAST.AST> =>
  forms.length === 0 || commas >= most
    ? none
    : forms.flatMap((form) => {
        if (isList) {
          const item = SchemaAST.isArrays(form) ? (form.elements[commas] ?? form.rest[0]) : undefined
          return item === undefined ? [] : formsOf({ ast: item })
        }
        if (!SchemaAST.isObjects(form)) return []
        const field = form.propertySignatures.find((one) => one.name === name)
        return (field === undefined ? form.indexSignatures : [field]).flatMap(({ type }) =>
          formsOf({ ast: type })
        )
      })

const none: ReadonlyArray<SchemaAST.AST> = []

/** How many items a list may have: what the most generous form allows. */
const mostItems = (forms: ReadonlyArray<SchemaAST.AST>) =>
  forms.some(SchemaAST.isArrays) ? Math.max(...forms.map(mostOf)) : Infinity

const mostOf = (form: SchemaAST.AST) => {
  if (!SchemaAST.isArrays(form)) return takesAnyObject(form) ? Infinity : 0
  const limits = (form.checks ?? []).flatMap(({ annotations }) => {
    const { maxLength, maximum } = (annotations?.representation?.payload ?? {}) as Limits
    return maxLength ?? maximum ?? []
  })
  return Math.min(...limits)
}

/** The bounds that checks of a list's length declare. */
interface Limits {
  readonly maxLength?: number
  readonly maximum?: number
}

const takesAnyObject = (form: SchemaAST.AST) =>
  SchemaAST.isObjects(form)
    ? form.indexSignatures.length > 0
    : ["Any", "Unknown", "ObjectKeyword", "Declaration", "Suspend"].includes(form._tag)

const [quote, comma, bracket, closingBracket, brace, closingBrace, backslash] = [...'",[]{}\\'].map(
  (character) => character.charCodeAt(0)
)

/** A name may be written with escapes; what is no name is no JSON either. */
const nameOf = (written: string): string => {
  if (!written.includes("\\")) return written
  try {
    return JSON.parse(`"${written}"`)
  } catch {
    return written
  }
}

const endOfString = (text: string, start: number) => {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index++
  }
  return text.length
}

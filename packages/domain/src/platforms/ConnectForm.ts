import { Schema } from "effect"
import { Text } from "../Text.ts"
import { field } from "../Field.ts"

/** One field of a form. */
interface Field {
  readonly label: string
  readonly help?: string
  /** It is shown to nobody. */
  readonly secret?: true
  readonly optional?: true
  /** It is asked before the platform's own page too, where there is one. */
  readonly before_consent?: true
  /** The initial value. */
  readonly value?: string
  /** Instead of any text of 500 characters. */
  readonly schema?: Schema.Codec<string>
}

/** The form that connects an account, by the names of its `credentials`. The first field names the account, unless it is secret. */
export interface CredentialForm {
  /** The required credentials, in a few words. */
  readonly summary: string
  readonly fields: Readonly<Record<string, Field>>
  /** A page that explains how to get the credentials. */
  readonly link?: { readonly text: string; readonly href: string }
  /** When the optional fields are needed. */
  readonly more?: string
}

/** An address of a server: a scheme and a host. */
export const serverAddress = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s/]+\/?$/u),
  Schema.isMaxLength(500)
)

const text = Text.check(Schema.isBetweenLength(1, 500))

type Optional<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly optional: true } ? Name : never
}[keyof Fields]

/** The credentials that a form asks for. */
export type CredentialsOf<Form extends CredentialForm> = {
  readonly [Name in Exclude<keyof Form["fields"], Optional<Form["fields"]>>]: string
} & { readonly [Name in Optional<Form["fields"]>]?: string }

/** The credentials of a form as the API takes them. */
export const credentialsSchema = ({ fields }: CredentialForm) =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries(fields).map(([name, { schema = text, label, help, optional, secret }]) => {
        const parts = [help ?? label, secret && "It is stored encrypted, and shown to nobody."]
        const sentences = parts.flatMap((part) => (part ? [part.replace(/\.?$/, ".")] : []))
        const described = schema.annotate({ title: label, description: sentences.join(" ") })
        return [name, optional === true ? Schema.optionalKey(described) : described]
      })
    )
  )

/** A form as the API shows it. */
export const ConnectForm = Schema.Struct({
  summary: field("What a person needs to connect an account, in a few words for people.", Schema.String),
  fields: field(
    "What to ask for, in this order. The first field names the account, unless it is secret.",
    Schema.Array(
      Schema.Struct({
        name: field(
          "The field's name in `credentials` of the request, such as `app_password`.",
          Schema.String
        ),
        label: field("What to call the field in a form, such as `App password`.", Schema.String),
        help: field(
          "What to enter and where to find it, for people; null: the label says it all.",
          Schema.NullOr(Schema.String)
        ),
        secret: field(
          "true: a form must hide what is typed, as it does a password. false: it may be shown.",
          Schema.Boolean
        ),
        required: field(
          "true: the request is refused without it. false: it may be left out; `more` says when it is needed.",
          Schema.Boolean
        ),
        before_consent: field(
          "true: connecting on the platform's page needs it too, in `fields` of that request. false: only `credentials` have it.",
          Schema.Boolean
        ),
        value: field(
          "What a form fills in at first; a person may change it. null: nothing.",
          Schema.NullOr(Schema.String)
        )
      })
    ).check(Schema.isMaxLength(10))
  ),
  link: field(
    "A page that explains how to get the credentials; null: none is needed.",
    Schema.NullOr(
      Schema.Struct({
        text: field("The words of the link, such as `Open @BotFather`.", Schema.String),
        href: field("The absolute https URL of the page, on another site.", Schema.String)
      })
    )
  ),
  more: field(
    "When the optional fields are needed, for people; null: there are none, or it is obvious.",
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "ConnectForm" })
export interface ConnectForm extends Schema.Schema.Type<typeof ConnectForm> {}

export const connectForm = ({ fields, link, more, summary }: CredentialForm): ConnectForm => ({
  summary,
  fields: Object.entries(fields).map(([name, { before_consent, help, label, optional, secret, value }]) => ({
    name,
    label,
    help: help ?? null,
    secret: secret === true,
    required: optional !== true,
    before_consent: before_consent === true,
    value: value ?? null
  })),
  link: link ?? null,
  more: more ?? null
})

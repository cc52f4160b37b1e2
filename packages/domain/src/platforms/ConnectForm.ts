import { Schema } from "effect"
import { Text } from "../Text.ts"

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
      Object.entries(fields).map(([name, { schema = text, label, help, optional }]) => {
        const described = schema.annotate({
          title: label,
          ...(help === undefined ? {} : { description: help })
        })
        return [name, optional === true ? Schema.optionalKey(described) : described]
      })
    )
  )

/** A form as the API shows it. */
export const ConnectForm = Schema.Struct({
  summary: Schema.String.annotate({ description: "What is needed, in a few words." }),
  fields: Schema.Array(
    Schema.Struct({
      name: Schema.String.annotate({ description: "The field's name in `credentials`." }),
      label: Schema.String,
      help: Schema.NullOr(Schema.String),
      secret: Schema.Boolean,
      required: Schema.Boolean,
      before_consent: Schema.Boolean.annotate({
        description: "Connecting in the browser needs it too, in `fields`."
      }),
      value: Schema.NullOr(Schema.String).annotate({ description: "The initial value." })
    })
  )
    .check(Schema.isMaxLength(10))
    .annotate({ description: "The first field names the account, unless it is secret." }),
  link: Schema.NullOr(Schema.Struct({ text: Schema.String, href: Schema.String })).annotate({
    description: "A page that explains how to get the credentials."
  }),
  more: Schema.NullOr(Schema.String).annotate({ description: "When the optional fields are needed." })
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

import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import type { NotificationFormat } from "@carillon/domain"
import { Context, Effect, Layer, Option } from "effect"
import { AppConfig } from "../AppConfig.ts"
import { Deliver } from "./Deliver.ts"
import type { Attempt } from "./DeliveryPolicy.ts"
import { NotificationRepository } from "./NotificationRepository.ts"
import { noticeOf, testNotice } from "./noticeOf.ts"
import { noticeRequest } from "./noticeRequest.ts"

/** A webhook of people. */
interface Receiver {
  readonly id: string
  readonly format: NotificationFormat
  readonly secrets: Uint8Array
}

/** Tells people, at an address that nobody sees again: it holds a secret. */
export class Notify extends Context.Service<
  Notify,
  {
    seal(id: string, address: string): Uint8Array
    /** None after a restore under another CARILLON_SECRET. */
    open(receiver: Pick<Receiver, "id" | "secrets">): Option.Option<string>
    /** One try to tell of these events. `message` is the same in every try. */
    tell(receiver: Receiver, message: string, sequences: ReadonlyArray<number>): Effect.Effect<Attempt>
    test(receiver: Receiver, message: string): Effect.Effect<Attempt>
  }
>()("@carillon/server/webhooks/Notify") {
  static readonly layerNoDeps = Layer.effect(
    Notify,
    Effect.gen(function* () {
      const cipher = yield* CredentialCipher
      const { publicUrl } = yield* AppConfig
      const deliver = yield* Deliver
      const repository = yield* NotificationRepository
      const owner = (id: string) => `notifications:${id}`

      const seal = (id: string, address: string) => cipher.seal(owner(id), { address })
      const open: Notify["Service"]["open"] = ({ id, secrets }) =>
        Option.liftThrowable(() => String(cipher.open(owner(id), secrets)["address"]))()

      const send = Effect.fnUntraced(function* (
        receiver: Receiver,
        message: string,
        sequences: ReadonlyArray<number> | null
      ) {
        const address = open(receiver)
        const workspace = yield* repository.workspace(receiver.id)
        if (Option.isNone(address) || workspace === undefined) return unreadable
        const notice =
          sequences === null
            ? testNotice(workspace, publicUrl)
            : noticeOf(yield* repository.troubles(sequences), workspace, publicUrl)
        const request = noticeRequest(receiver.format, address.value, message, notice)
        return yield* deliver.request(request, (text) => withoutAddress(text, address.value))
      })

      return Notify.of({
        seal,
        open,
        tell: Effect.fn("Notify.tell")(send),
        test: Effect.fn("Notify.test")((receiver, message) => send(receiver, message, null))
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(NotificationRepository.layer))
}

const unreadable: Attempt = {
  response_status: null,
  response_excerpt: null,
  error: "url_unreadable",
  retry_at: null
}

/** A receiver may repeat the path that it was asked for. */
const withoutAddress = (text: string, address: string) => {
  const { pathname, search, searchParams } = new URL(address)
  return [pathname + search, ...pathname.split("/"), ...searchParams.values()]
    .filter((part) => part.length > 2)
    .reduce((hidden, part) => hidden.replaceAll(part, "…"), text)
}

import type { CreateWebhook, WebhookEventType } from "@carillon/sdk"
import { useId, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Said, TextField } from "../ui/TextField.tsx"
import { Tick } from "../ui/Tick.tsx"
import { toggled } from "../ui/toggled.ts"
import { words as all } from "./en.ts"

const words = all.webhooks
const types = Object.entries(words.types).map(([id, help]) => ({
  id: id as WebhookEventType,
  help
}))

interface Props {
  readonly title: string
  readonly go: string
  /** What it is so far. */
  readonly webhook?: Pick<Required<CreateWebhook>, "url" | "events" | "description">
  readonly pending: boolean
  readonly onClose: () => void
  readonly onSubmit: (webhook: Required<CreateWebhook>) => void
}

/** The address that receives events, and which. */
export const WebhookForm = ({ go, onClose, onSubmit, pending, title, webhook }: Props) => {
  const [url, setUrl] = useState(webhook?.url ?? "")
  const [description, setDescription] = useState(webhook?.description ?? "")
  const [events, setEvents] = useState<ReadonlyArray<WebhookEventType>>(
    webhook?.events ?? ["post.published", "post.failed", "account.needs_reconnect"]
  )
  const [asked, setAsked] = useState(false)
  const said = useId()
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
          if (url.trim() === "" || events.length === 0) return
          onSubmit({ url: url.trim(), events, description: description.trim() || null })
        }}
      >
        <TextField
          label={words.url}
          help={words.urlHelp}
          type="url"
          value={url}
          onChange={setUrl}
          autoFocus
          problem={asked && url.trim() === "" ? words.urlMissing : undefined}
        />
        <TextField
          label={words.description}
          help={words.descriptionHelp}
          value={description}
          onChange={setDescription}
        />
        <fieldset className="m-0 flex min-w-0 flex-col border-0 p-0" aria-describedby={said}>
          <legend className="mb-1 p-0 text-xs font-semibold">{words.events}</legend>
          {types.map(({ help, id }) => (
            <Tick key={id} checked={events.includes(id)} onChange={() => setEvents(toggled(events, id))}>
              <span className="flex min-w-0 flex-col py-1">
                {id} <span className="text-xs text-soft">{help}</span>
              </span>
            </Tick>
          ))}
          <Said id={said} problem={asked && events.length === 0 ? words.eventsMissing : undefined} />
        </fieldset>
        <div className="actions">
          <Button onPress={onClose}>{all.cancel}</Button>
          <Button look="main" type="submit" isPending={pending}>
            {go}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

import type { WebhookDelivery } from "@carillon/sdk"
import { useState } from "react"
import { carillon, workspace } from "../data/api.ts"
import { useAct } from "../data/useAct.ts"
import { useDeliveries, webhooksChanged } from "../data/webhooks.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { useNow } from "../time/useNow.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Choice } from "../ui/Choice.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Note } from "../ui/Note.tsx"
import { words as all } from "./en.ts"
import { MoreButton } from "./MoreButton.tsx"

const words = all.webhooks.deliveries

type Status = WebhookDelivery["status"]

const signs = {
  pending: ["clock", "text-wait"],
  delivered: ["check", "text-good"],
  failed: ["cross", "text-bad"]
} as const
const states = ["pending", "delivered", "failed"] as const

const facts = (delivery: WebhookDelivery, moment: (at: string) => string) =>
  [
    words.states[delivery.status],
    moment(delivery.created_at),
    words.attempts(delivery.attempts),
    ...(delivery.response_status === null ? [] : [words.answer(delivery.response_status)]),
    ...(delivery.error === null || delivery.error === "bad_status" ? [] : [words.error(delivery.error)]),
    ...(delivery.next_attempt_at === null ? [] : [words.next(moment(delivery.next_attempt_at))])
  ].join(" · ")

const Excerpt = ({ text }: { readonly text: string }) => (
  <pre className="m-0 rounded-control bg-sunk p-2 break-all whitespace-pre-wrap">{text}</pre>
)

const Row = ({ delivery, now }: { readonly delivery: WebhookDelivery; readonly now: number }) => {
  const { act, busy } = useAct()
  const [icon, color] = signs[delivery.status]
  return (
    <li className="flex items-start gap-3 px-4 py-2" data-delivery={delivery.status}>
      <span className={`mt-1 ${color}`}>
        <Icon name={icon} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-sm text-soft">
        <strong className="font-semibold text-ink">{delivery.event_type}</strong>
        <span>{facts(delivery, (at) => formatMoment(at, now, workspace.timezone))}</span>
        <details>
          <summary className="cursor-pointer">{words.shown}</summary>
          <p className="break-all">
            {words.id} <code>{delivery.event_id}</code>
          </p>
          <Excerpt text={delivery.request_excerpt} />
          {delivery.response_excerpt !== null && delivery.response_excerpt !== "" && (
            <>
              <p>{words.answered}</p>
              <Excerpt text={delivery.response_excerpt} />
            </>
          )}
        </details>
      </div>
      <Button
        look="quiet"
        isPending={busy !== null}
        onPress={() =>
          void act(delivery.id, {
            do: () => carillon.webhooks.redeliver(delivery.id),
            done: words.sent,
            failed: all.webhooks.notSent,
            changed: webhooksChanged
          })
        }
      >
        <Icon name="refresh" />
        {words.again}
      </Button>
    </li>
  )
}

/** What was sent to a webhook, and what it answered. */
export const Deliveries = ({ webhook }: { readonly webhook: string }) => {
  const [status, setStatus] = useState<Status>()
  const list = useDeliveries(webhook, status)
  const now = useNow(false)
  return (
    <Card
      title={words.title}
      beside={
        <span className="ms-auto">
          <Choice
            label={words.filter}
            all={words.all}
            options={states.map((id) => ({ id, name: words.states[id] }))}
            chosen={status}
            onChoose={(chosen) => setStatus(chosen as Status | undefined)}
          />
        </span>
      }
    >
      <Loaded query={list} failed={words.failed} rows={4}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Note>{status === undefined ? words.empty : words.emptyFiltered}</Note>
          ) : (
            <ul className="divide-y divide-hair">
              {deliveries.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} now={now} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={list} />
    </Card>
  )
}

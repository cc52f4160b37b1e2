import type { Webhook, WebhookDelivery } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { allOf } from "./allOf.ts"
import { carillon, queries } from "./api.ts"
import { everyMinute } from "./intervals.ts"
import { usePages } from "./usePages.ts"

const webhooksKey = ["webhooks"] as const

/** The webhooks of the workspace, newest first. */
export const useWebhooks = () =>
  useQuery<ReadonlyArray<Webhook>>({
    queryKey: webhooksKey,
    queryFn: ({ signal }) => allOf(carillon.webhooks.list({ limit: 200 }, { signal })),
    // One that fails is paused by the service.
    refetchInterval: everyMinute
  })

/** What was sent to a webhook in the last 30 days, newest first. */
export const useDeliveries = (webhook: string, status: WebhookDelivery["status"] | undefined) =>
  usePages<WebhookDelivery>([...webhooksKey, webhook, "deliveries", status ?? null], (page, options) =>
    carillon.webhooks.deliveries(webhook, { ...page, ...(status === undefined ? {} : { status }) }, options)
  )

/** Reads the webhooks and their deliveries again. */
export const webhooksChanged = () => queries.invalidateQueries({ queryKey: webhooksKey })

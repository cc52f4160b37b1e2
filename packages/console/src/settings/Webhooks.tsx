import type { CreateWebhook, NewWebhook } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { carillon } from "../data/api.ts"
import { useAct } from "../data/useAct.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { useWebhooks, webhooksChanged } from "../data/webhooks.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { words as all } from "./en.ts"
import { SecretDialog } from "./SecretDialog.tsx"
import { SettingsPage } from "./SettingsPage.tsx"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"

const words = all.webhooks

const AddWebhook = () => {
  const [open, setOpen] = useState(false)
  const [created, setCreated] = useState<NewWebhook>()
  const { act, busy } = useAct()
  const { dialog, withPassword } = useConfirmPassword()
  const add = (webhook: CreateWebhook) =>
    act("create", {
      do: async () => {
        const answer = await withPassword(() => carillon.webhooks.create(webhook))
        if (answer === undefined) return
        setOpen(false)
        setCreated(answer)
      },
      failed: words.notSaved,
      changed: webhooksChanged
    })
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Icon name="plus" />
        {words.create}
      </Button>
      {open && (
        <WebhookForm
          title={words.create}
          go={words.create}
          pending={busy !== null}
          onClose={() => setOpen(false)}
          onSubmit={(webhook) => void add(webhook)}
        />
      )}
      {created && (
        <SecretDialog
          title={words.secretOf(created.url)}
          label={words.secret}
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        />
      )}
      {dialog}
    </>
  )
}

const List = () => {
  const { data: webhooks, error, refetch } = useWebhooks()
  if (webhooks === undefined)
    return error === null ? (
      <Skeleton rows={3} />
    ) : (
      <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />
    )
  if (webhooks.length === 0) return <EmptyState {...words.empty} />
  return (
    <Card label={all.pages.webhooks}>
      <ul className="divide-y divide-hair">
        {webhooks.map((webhook) => (
          <li key={webhook.id}>
            <Link to="/settings/webhooks/$id" params={{ id: webhook.id }} className={row}>
              <span className="flex min-w-0 flex-1 flex-col text-sm text-soft">
                <strong className="text-base font-semibold break-all text-ink">{webhook.url}</strong>
                <span>
                  {webhook.description !== null && `${webhook.description} · `}
                  {words.count(webhook.events.length)}
                </span>
                <WebhookState webhook={webhook} />
              </span>
              <Icon name="right" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const row = "flex items-center gap-3 px-4 py-2 text-soft no-underline -outline-offset-2 hover:bg-sunk"

/** The addresses that receive events. */
export const Webhooks = () => (
  <SettingsPage forOwners>
    <div className="flex flex-wrap items-center gap-3 max-sm:px-4">
      <p className="min-w-0 flex-1 text-sm text-soft">{words.text}</p>
      <AddWebhook />
    </div>
    <List />
  </SettingsPage>
)

import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { carillon } from "../data/api.ts"
import { useWebhooks, webhooksChanged } from "../data/webhooks.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { words as all } from "./en.ts"
import { secretOf } from "./secretOf.ts"
import { SettingsPage } from "./SettingsPage.tsx"
import { useNewSecret } from "./useNewSecret.tsx"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"

const words = all.webhooks

const AddWebhook = () => {
  const [open, setOpen] = useState(false)
  const { create, dialogs, isPending } = useNewSecret()
  const { isError } = useWebhooks()
  return (
    <>
      <Button look={isError ? undefined : "main"} onPress={() => setOpen(true)}>
        <Icon name="plus" />
        {words.create}
      </Button>
      {open && (
        <WebhookForm
          title={words.create}
          go={words.create}
          pending={isPending}
          onClose={() => setOpen(false)}
          onSubmit={(webhook) =>
            create({
              make: async () => secretOf(await carillon.webhooks.create(webhook)),
              onMade: () => setOpen(false),
              failed: words.notSaved,
              changed: webhooksChanged
            })
          }
        />
      )}
      {dialogs}
    </>
  )
}

const List = () => (
  <Loaded query={useWebhooks()} failed={words.failed} rows={3}>
    {(webhooks) =>
      webhooks.length === 0 ? (
        <EmptyState {...words.empty} />
      ) : (
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
  </Loaded>
)

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

import type { Webhook } from "@carillon/sdk"
import { useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { carillon } from "../data/api.ts"
import { useAct } from "../data/useAct.ts"
import { useWebhooks, webhooksChanged } from "../data/webhooks.ts"
import { BackLink } from "../ui/BackLink.tsx"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Loaded } from "../ui/Loaded.tsx"
import { Stack } from "../ui/Stack.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { words as all } from "./en.ts"
import { secretOf } from "./secretOf.ts"
import { SettingsPage } from "./SettingsPage.tsx"
import { useNewSecret } from "./useNewSecret.tsx"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookState } from "./WebhookState.tsx"

const words = all.webhooks

const One = ({ webhook }: { readonly webhook: Webhook }) => {
  const { id, status, url } = webhook
  const navigate = useNavigate()
  const [open, setOpen] = useState<"change" | "rotate" | "remove">()
  const { act, busy } = useAct()
  const { create, dialogs } = useNewSecret()
  const close = () => setOpen(undefined)
  const changed = webhooksChanged
  const update = (key: string, changes: Parameters<typeof carillon.webhooks.update>[1]) =>
    act(key, {
      do: async () => {
        await carillon.webhooks.update(id, changes)
        close()
      },
      failed: words.notSaved,
      changed
    })
  const next = status === "active" ? "paused" : "active"
  return (
    <>
      <Card title={url}>
        <Stack>
          <div className="flex flex-col gap-1 text-sm text-soft">
            {webhook.description !== null && <p>{webhook.description}</p>}
            <p className="break-words">{webhook.events.join(", ")}</p>
            <WebhookState webhook={webhook} />
          </div>
          <Actions>
            <Button
              isPending={busy === "test"}
              onPress={() =>
                void act("test", {
                  do: () => carillon.webhooks.test(id),
                  done: ({ response_status }) => words.tested(response_status),
                  failed: words.notSent,
                  changed
                })
              }
            >
              <Icon name="send" />
              {words.sendTest}
            </Button>
            <Button isPending={busy === "status"} onPress={() => void update("status", { status: next })}>
              {status === "active" ? words.pause : words.resume}
            </Button>
            <Button onPress={() => setOpen("change")}>{words.change}</Button>
            <Button onPress={() => setOpen("rotate")}>{words.rotate.open}</Button>
            <Button look="quiet" onPress={() => setOpen("remove")}>
              <Icon name="trash" />
              {words.remove.open}
            </Button>
          </Actions>
        </Stack>
      </Card>
      <Deliveries webhook={id} />
      {open === "change" && (
        <WebhookForm
          title={words.change}
          go={words.save}
          webhook={webhook}
          pending={busy === "change"}
          onClose={close}
          onSubmit={(changes) => void update("change", changes)}
        />
      )}
      {open === "rotate" && (
        <ConfirmDialog
          title={words.rotate.title}
          text={words.rotate.text}
          go={words.rotate.open}
          stay={all.cancel}
          onStay={close}
          onGo={() => {
            close()
            create({
              make: async () => secretOf(await carillon.webhooks.rotateSecret(id)),
              failed: words.rotate.failed
            })
          }}
        />
      )}
      {open === "remove" && (
        <ConfirmDialog
          title={words.remove.title}
          text={words.remove.text}
          go={words.remove.open}
          stay={all.cancel}
          onStay={close}
          onGo={() => {
            close()
            void act("remove", {
              do: async () => {
                await carillon.webhooks.delete(id)
                await navigate({ to: "/settings/webhooks" })
              },
              done: words.remove.done,
              failed: words.remove.failed,
              changed
            })
          }}
        />
      )}
      {dialogs}
    </>
  )
}

const Found = () => {
  const { id } = useParams({ from: "/settings/webhooks/$id" })
  return (
    <Loaded query={useWebhooks()} failed={words.failed} rows={3} height={120}>
      {(webhooks) => {
        const webhook = webhooks.find((one) => one.id === id)
        return webhook === undefined ? <EmptyState title={words.unknown} /> : <One webhook={webhook} />
      }}
    </Loaded>
  )
}

/** One webhook, and what was sent to it. */
export const WebhookPage = () => (
  <SettingsPage forOwners>
    <div>
      <BackLink to="/settings/webhooks">{words.back}</BackLink>
    </div>
    <Found />
  </SettingsPage>
)

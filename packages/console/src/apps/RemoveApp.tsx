import { platformApps } from "@carillon/domain/PlatformApps"
import type { PlatformApp } from "@carillon/sdk"
import { useState } from "react"
import { carillon } from "../data/api.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { platformAppsChanged } from "../data/platformApps.ts"
import { act } from "../data/useAct.ts"
import { Button } from "../ui/Button.tsx"
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { toast } from "../ui/toast.ts"
import { words } from "./en.ts"

export const RemoveApp = ({
  app,
  onRemoved
}: {
  readonly app: PlatformApp
  readonly onRemoved: () => void
}) => {
  const [open, setOpen] = useState(false)
  const { dialog, withPassword } = useConfirmPassword()
  const network = platformApps[app.app]
  const remove = () => {
    setOpen(false)
    void act({
      do: async () => {
        const removed = await withPassword(() => carillon.platformApps.remove(app.app))
        if (removed === undefined) return
        toast({ icon: "check", text: words.remove.done(network.name) })
        await platformAppsChanged()
        onRemoved()
      },
      failed: words.remove.failed
    })
  }
  return (
    <>
      <div>
        <Button look="quiet" onPress={() => setOpen(true)}>
          <Icon name="trash" />
          {words.remove.open}
        </Button>
      </div>
      {open && (
        <ConfirmDialog
          title={words.remove.title(network.name)}
          text={`${words.remove.text}${app.accounts > 0 ? ` ${words.replace.title(app.accounts)}.` : ""}`}
          stay={words.remove.keep}
          go={words.remove.go}
          onStay={() => setOpen(false)}
          onGo={remove}
        />
      )}
      {dialog}
    </>
  )
}

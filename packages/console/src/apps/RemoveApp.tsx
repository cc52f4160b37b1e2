import { platformApps } from "@carillon/domain/PlatformApps"
import type { PlatformApp } from "@carillon/sdk"
import { useState } from "react"
import { carillon } from "../data/api.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { platformAppsChanged } from "../data/platformApps.ts"
import { act } from "../data/useAct.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { toast } from "../ui/toasts.tsx"
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
        <Dialog alert title={words.remove.title(network.name)} onClose={() => setOpen(false)}>
          <p>
            {words.remove.text}
            {app.accounts > 0 && ` ${words.replace.title(app.accounts)}.`}
          </p>
          <div className="actions">
            <Button autoFocus onPress={() => setOpen(false)}>
              {words.remove.keep}
            </Button>
            <Button look="danger" onPress={remove}>
              {words.remove.go}
            </Button>
          </div>
        </Dialog>
      )}
      {dialog}
    </>
  )
}

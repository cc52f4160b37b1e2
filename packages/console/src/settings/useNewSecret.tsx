import { type ReactNode, useState } from "react"
import { type Act, useAct } from "../data/useAct.ts"
import { useConfirmPassword } from "../data/useConfirmPassword.tsx"
import { SecretDialog } from "./SecretDialog.tsx"

interface Made {
  readonly title: string
  readonly label: string
  readonly secret: string
}

interface Given extends Pick<Act, "failed" | "changed"> {
  /** May want the password again. Answers with what is then shown once. */
  readonly make: () => Promise<Made>
  readonly onMade?: () => void
}

/** Makes what has a secret, and shows that once. `dialogs` has to be in the page. */
export const useNewSecret = (): {
  readonly create: (given: Given) => void
  readonly isPending: boolean
  readonly dialogs: ReactNode
} => {
  const [made, setMade] = useState<Made>()
  const { act, busy } = useAct()
  const { dialog, withPassword } = useConfirmPassword()
  const create = ({ make, onMade, ...outcome }: Given) =>
    void act("create", {
      ...outcome,
      do: async () => {
        const answer = await withPassword(make)
        if (answer === undefined) return
        onMade?.()
        setMade(answer)
      }
    })
  return {
    create,
    isPending: busy !== null,
    dialogs: (
      <>
        {made && <SecretDialog {...made} onClose={() => setMade(undefined)} />}
        {dialog}
      </>
    )
  }
}

import { networkName } from "./networkName.ts"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import { words } from "./en.ts"
import { reconnecting } from "./reconnecting.ts"
import { useAccounts } from "./useAccounts.ts"

/** Leads to where an account is connected again. */
export const Reconnect = ({ account: id }: { readonly account: number }) => {
  const account = useAccounts().get(id)
  return (
    <RoomAnchor className="button" to={reconnecting(id)}>
      {words.reconnect}
      {account && (
        <span className="unseen">
          {" "}
          {networkName(account)} {account.name}
        </span>
      )}
    </RoomAnchor>
  )
}

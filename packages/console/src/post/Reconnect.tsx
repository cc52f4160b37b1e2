import { networkName } from "../data/networkName.ts"
import { RoomAnchor } from "../ui/RoomAnchor.tsx"
import { words } from "./en.ts"
import { reconnectPath } from "./reconnectPath.ts"
import { useAccounts } from "../data/accounts.ts"

/** Links to the page that reconnects an account. */
export const Reconnect = ({ account: id }: { readonly account: number }) => {
  const account = useAccounts().get(id)
  return (
    <RoomAnchor className="button" to={reconnectPath(id)}>
      {words.reconnectAccount}
      {account && (
        <span className="unseen">
          {" "}
          {networkName(account)} {account.name}
        </span>
      )}
    </RoomAnchor>
  )
}

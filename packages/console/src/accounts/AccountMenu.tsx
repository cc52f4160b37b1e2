import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { defaultOf } from "../data/access.ts"
import { words } from "./en.ts"
import type { Account } from "../data/accounts.ts"

export interface AccountActions {
  readonly onReconnect: (account: Account) => void
  readonly onDefault: (account: Account) => void
  readonly onDisconnect: (account: Account) => void
}

export const AccountMenu = ({
  account,
  onDefault,
  onDisconnect,
  onReconnect
}: AccountActions & { readonly account: Account }) => {
  const choice = defaultOf(account)
  return (
    <MenuTrigger>
      <Button square look="quiet" aria-label={words.more(account)}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={words.more(account)}>
          <MenuItem className="entry" onAction={() => onReconnect(account)}>
            <Icon name="refresh" />
            {words.acts[account.status === "disconnected" ? "disconnected" : "needs_reconnect"]}
          </MenuItem>
          {choice !== null && account.status === "connected" && (
            <MenuItem className="entry" onAction={() => onDefault(account)}>
              <Icon name="pencil" />
              {words[choice.is].choose}
            </MenuItem>
          )}
          {account.status !== "disconnected" && (
            <MenuItem className="entry danger" onAction={() => onDisconnect(account)}>
              <Icon name="cross" />
              {words.disconnect}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

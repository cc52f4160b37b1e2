import { useNavigate } from "@tanstack/react-router"
import { Button } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { workspace } from "./data/api.ts"
import { boot } from "./data/boot.ts"
import { Icon } from "./ui/Icon.tsx"
import { useNavigation } from "./useNavigation.ts"

export const Person = () => {
  const navigate = useNavigate()
  return (
    <MenuTrigger>
      <Button className="person" aria-label={`${boot.member.name}: account and settings`}>
        {boot.member.name.slice(0, 1).toUpperCase()}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={boot.member.name}>
          <MenuItem className="entry" onAction={() => void navigate({ to: "/settings" })}>
            Settings
          </MenuItem>
          <MenuItem className="entry" href="/approvals">
            Approvals
          </MenuItem>
          <MenuItem className="entry" href="/connected-apps">
            Connected apps
          </MenuItem>
          <MenuItem className="entry" href="/connect">
            Connect an app
          </MenuItem>
          <MenuItem className="entry" href="/docs">
            API reference
          </MenuItem>
          <MenuItem className="entry" href="/account">
            Account and sign-out
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

export const WorkspaceSwitch = () => (
  <MenuTrigger>
    <Button className="workspace button quiet">
      {workspace.name}
      <Icon name="down" />
    </Button>
    <Popover className="popover" placement="bottom end">
      <Menu className="menu" aria-label="Workspaces">
        {boot.workspaces.map(({ id, name }) => (
          <MenuItem key={id} className="entry" href={`/app/?w=${id}`}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
)

/** The pages that a phone's bar has no place for. */
export const MorePages = () => {
  const navigate = useNavigate()
  const underMore = useNavigation().filter(({ inBar }) => !inBar)
  return (
    <MenuTrigger>
      <Button className="page-link">
        <Icon name="more" />
        More
      </Button>
      <Popover className="popover" placement="top end">
        <Menu className="menu" aria-label="More pages">
          {underMore.map(({ Badge, icon, name, to }) => (
            <MenuItem key={to} className="entry" textValue={name} onAction={() => void navigate({ to })}>
              <Icon name={icon} />
              {name}
              {Badge && <Badge />}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

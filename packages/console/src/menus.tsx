import { useNavigate } from "@tanstack/react-router"
import { Button } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { workspace } from "./data/api.ts"
import { boot } from "./data/boot.ts"
import { signOut } from "./data/signOut.ts"
import { act } from "./data/useAct.ts"
import { words } from "./en.ts"
import { person, phoneLink } from "./menuButtons.ts"
import { buttonClass } from "./ui/Button.tsx"
import { Icon } from "./ui/Icon.tsx"
import { useNavigation } from "./useNavigation.ts"

export const Person = () => {
  const navigate = useNavigate()
  return (
    <MenuTrigger>
      <Button className={person} aria-label={words.person(boot.member.name)}>
        {boot.member.name.slice(0, 1).toUpperCase()}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={boot.member.name}>
          <MenuItem className="entry" onAction={() => void navigate({ to: "/settings" })}>
            {words.menu.settings}
          </MenuItem>
          <MenuItem className="entry" href="/approvals">
            {words.menu.approvals}
          </MenuItem>
          <MenuItem className="entry" onAction={() => void navigate({ to: "/settings/connected-apps" })}>
            {words.menu.connectedApps}
          </MenuItem>
          <MenuItem className="entry" onAction={() => void navigate({ to: "/settings/connect-app" })}>
            {words.menu.connectApp}
          </MenuItem>
          <MenuItem className="entry" href="/docs">
            {words.menu.reference}
          </MenuItem>
          <MenuItem className="entry" onAction={() => void navigate({ to: "/settings/account" })}>
            {words.menu.account}
          </MenuItem>
          <MenuItem
            className="entry"
            onAction={() => void act({ do: signOut, failed: words.menu.notSignedOut })}
          >
            {words.menu.signOut}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

export const WorkspaceSwitch = () => (
  <MenuTrigger>
    <Button className={buttonClass("quiet")}>
      {workspace.name}
      <Icon name="down" />
    </Button>
    <Popover className="popover" placement="bottom end">
      <Menu className="menu" aria-label={words.workspaces}>
        {boot.workspaces.map(({ id, name }) => (
          <MenuItem key={id} className="entry" href={`/app/?w=${id}`}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
)

/** The pages that do not fit into a phone's bar. */
export const MorePages = () => {
  const navigate = useNavigate()
  const underMore = useNavigation().filter(({ inBar }) => !inBar)
  return (
    <MenuTrigger>
      <Button className={`${phoneLink} text-soft`}>
        <Icon name="more" />
        {words.more}
      </Button>
      <Popover className="popover" placement="top end">
        <Menu className="menu" aria-label={words.morePages}>
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

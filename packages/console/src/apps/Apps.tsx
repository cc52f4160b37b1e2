import { platformApps } from "@carillon/domain/PlatformApps"
import { Link } from "@tanstack/react-router"
import { boot } from "../data/boot.ts"
import { Icon } from "../ui/Icon.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { words } from "./en.ts"
import { usePlatformApps } from "../data/platformApps.ts"
import "./Apps.css"

const List = () => {
  const { data: apps, error, refetch } = usePlatformApps()
  if (apps === undefined) {
    return error === null ? (
      <Skeleton rows={5} />
    ) : (
      <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />
    )
  }
  return (
    <ul className="card app-list">
      {apps.map(({ accounts, app, platform, source }) => (
        <li key={app}>
          <Link to="/accounts/apps/$app" params={{ app }}>
            <Glyph platform={platform} large />
            <span className="named">
              <strong>{platformApps[app].name}</strong>
              <span>
                {words.state[source]}
                {accounts > 0 && ` · ${words.connectedShort(accounts)}`}
              </span>
            </span>
            <Icon name="right" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

export const Apps = () => (
  <>
    <div className="bar">
      <h1>
        <PageName />
      </h1>
    </div>
    <div className="apps">
      {boot.member.role === "owner" ? (
        <>
          <p className="intro">{words.intro}</p>
          <List />
        </>
      ) : (
        <EmptyState {...words.onlyOwners} />
      )}
    </div>
  </>
)

import { platformName } from "@carillon/domain/PlatformFacts"
import type { Instance } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { accountsChanged } from "../data/accounts.ts"
import { carillon } from "../data/api.ts"
import { useAct } from "../data/useAct.ts"
import { NetworkLine } from "../post/NetworkLine.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Glyph } from "../ui/Glyph.tsx"
import { words } from "./en.ts"

export const testNetwork = "sandbox"

/** Networks that need no registered app come first. */
const rank = ({ configured, form }: Instance["connectable"][number]) =>
  form !== null ? 0 : configured ? 1 : 2

/** The networks to connect; the test network's demo account takes one press. */
export const ConnectStep = ({ instance }: { readonly instance: Instance | undefined }) => {
  const { act, busy } = useAct()
  const connectDemo = () =>
    act("demo", {
      do: async () => {
        await carillon.accounts.connect({
          platform: testNetwork,
          credentials: { username: "demo", password: "sandbox" }
        })
        await accountsChanged()
      },
      failed: words.connect.notConnected
    })
  const connectable = instance?.connectable ?? []
  const test = connectable.filter(({ configured, platform }) => platform === testNetwork && configured)
  const others = connectable
    .filter(({ platform }) => platform !== testNetwork)
    .sort((one, other) => rank(one) - rank(other))
  const rest = others.slice(3)
  return (
    <>
      <p>{test.length > 0 || instance === undefined ? words.connect.text : words.connect.textElsewhere}</p>
      <ul className="grid grid-cols-posts gap-2">
        {[...test, ...others.slice(0, 3)].map(({ configured, form, network, platform }) => {
          const isTest = platform === testNetwork
          const act = configured ? words.connect.button : words.connect.how
          const label = `${act}: ${platformName(platform)}`
          return (
            <li key={platform} className="flex items-center gap-3 rounded-control border border-line p-3">
              <NetworkLine of={{ platform, network }}>
                {isTest
                  ? words.connect.nothingToDo
                  : (form?.summary ?? words.connect.by[configured ? "consent" : "app"])}
              </NetworkLine>
              {isTest ? (
                <Button
                  look="main"
                  isPending={busy !== null}
                  aria-label={label}
                  onPress={() => void connectDemo()}
                >
                  {act}
                </Button>
              ) : (
                <Link
                  to="/accounts"
                  search={{ connect: platform }}
                  className={buttonClass(configured ? undefined : "quiet")}
                  aria-label={label}
                >
                  {act}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
      {rest.length > 0 && (
        <p className="flex flex-wrap items-center gap-2">
          <span className="flex gap-1" aria-hidden="true">
            {rest.map(({ platform }) => (
              <Glyph key={platform} platform={platform} />
            ))}
          </span>
          <Link to="/accounts" className="flex min-h-6 items-center gap-2 max-sm:min-h-touch">
            {words.connect.more(rest.length)}
          </Link>
        </p>
      )}
    </>
  )
}

import { platformName } from "@carillon/domain/PlatformFacts"
import type { Instance } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { accountsChanged } from "../data/accounts.ts"
import { carillon } from "../data/api.ts"
import { useAct } from "../data/useAct.ts"
import { TestMark } from "../post/TestMark.tsx"
import { Button } from "../ui/Button.tsx"
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
  const hasTestNetwork = connectable.some(
    ({ configured, platform }) => platform === testNetwork && configured
  )
  const others = connectable
    .filter(({ platform }) => platform !== testNetwork)
    .sort((one, other) => rank(one) - rank(other))
  const shown = others.slice(0, 3)
  const rest = others.slice(3)
  return (
    <>
      <p>{hasTestNetwork || instance === undefined ? words.connect.text : words.connect.textElsewhere}</p>
      <ul className="networks">
        {hasTestNetwork && (
          <li className="network first">
            <Glyph platform={testNetwork} large />
            <span>
              <strong>{words.connect.testNetwork}</strong>
              <small>{words.connect.nothingToDo}</small>
            </span>
            <Button
              look="main"
              isPending={busy !== null}
              aria-label={`${words.connect.button}: ${words.connect.testNetwork}`}
              onPress={() => void connectDemo()}
            >
              {words.connect.button}
            </Button>
          </li>
        )}
        {shown.map(({ configured, form, network, platform }) => (
          <li key={platform} className="network">
            <Glyph platform={platform} large />
            <span>
              <strong>
                {platformName(platform)} <TestMark of={{ platform, network }} />
              </strong>
              <small>{form?.summary ?? (configured ? words.connect.by.consent : words.connect.by.app)}</small>
            </span>
            <Link
              to="/accounts"
              search={{ connect: platform }}
              className={configured ? "button" : "button quiet"}
              aria-label={`${configured ? words.connect.button : words.connect.how}: ${platformName(platform)}`}
            >
              {configured ? words.connect.button : words.connect.how}
            </Link>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p className="rest">
          <span className="glyphs" aria-hidden="true">
            {rest.map(({ platform }) => (
              <Glyph key={platform} platform={platform} />
            ))}
          </span>
          <Link to="/accounts">{words.connect.more(rest.length)}</Link>
        </p>
      )}
    </>
  )
}

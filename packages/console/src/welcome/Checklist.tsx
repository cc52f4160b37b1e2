import { CarillonError, type Instance } from "@carillon/sdk"
import { usePostsById } from "../data/posts.ts"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { TestMark } from "../post/TestMark.tsx"
import { type Account, accountsChanged, useAccountList } from "../data/accounts.ts"
import { useInstance } from "../data/instance.ts"
import { carillon, workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { useWorkspaceChange } from "../data/useWorkspaceChange.ts"
import { ownZone, placeOf, sameClocks, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { platformName } from "@carillon/domain/PlatformFacts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { Example } from "./Example.tsx"
import { greetingAt } from "./greetingAt.ts"
import { type FirstPost, type Step, stepOf } from "./stepOf.ts"
import "./Checklist.css"

const why = (error: unknown) => (error instanceof CarillonError ? error.message : String(error))

interface StepProps {
  readonly number: number
  readonly title: string
  readonly state: "done" | "open" | "later"
  readonly children?: ReactNode
}

const StepRow = ({ children, number, state, title }: StepProps) => (
  <li className={`step ${state}`} aria-current={state === "open" ? "step" : undefined}>
    <span className="number" aria-hidden="true">
      {state === "done" ? <Icon name="check" /> : number}
    </span>
    <div className="what">
      <h2>
        {title}
        {state === "done" && <span className="done-word">{words.done}</span>}
      </h2>
      {children}
    </div>
  </li>
)

/** A new workspace is on UTC, which is the clock of nearly nobody. */
const OwnClock = () => {
  const { change, isSaving } = useWorkspaceChange()
  if (sameClocks(workspace.timezone, ownZone)) return null
  const place = placeOf(ownZone)
  return (
    <p className="own-clock">
      {words.clock.text(place)}
      <Button isPending={isSaving} onPress={() => void change({ timezone: ownZone })}>
        {words.clock.use(place)}
      </Button>
    </p>
  )
}

const testNetwork = "sandbox"

const connectDemo = async () => {
  try {
    await carillon.accounts.connect({
      platform: testNetwork,
      credentials: { username: "demo", password: "sandbox" }
    })
    await accountsChanged()
  } catch (error) {
    toast({ icon: "cross", text: words.connect.notConnected(why(error)) })
  }
}

const Connect = ({ instance }: { readonly instance: Instance | undefined }) => {
  const [connecting, setConnecting] = useState(false)
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
            <Mark platform={testNetwork} large />
            <span>
              <strong>{words.connect.testNetwork}</strong>
              <small>{words.connect.nothingToDo}</small>
            </span>
            <Button
              look="main"
              isPending={connecting}
              aria-label={`${words.connect.button}: ${words.connect.testNetwork}`}
              onPress={() => {
                setConnecting(true)
                void connectDemo().finally(() => setConnecting(false))
              }}
            >
              {words.connect.button}
            </Button>
          </li>
        )}
        {shown.map(({ configured, form, network, platform }) => (
          <li key={platform} className="network">
            <Mark platform={platform} large />
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
          <span className="marks" aria-hidden="true">
            {rest.map(({ platform }) => (
              <Mark key={platform} platform={platform} />
            ))}
          </span>
          <Link to="/accounts">{words.connect.more(rest.length)}</Link>
        </p>
      )}
    </>
  )
}

/** Those that need no app of one's own come first. */
const rank = ({ configured, form }: Instance["connectable"][number]) =>
  form !== null ? 0 : configured ? 1 : 2

const named = (accounts: ReadonlyArray<Account>) =>
  words.connect.connected(
    accounts
      .slice(0, 3)
      .map(({ name }) => name)
      .join(", "),
    accounts.length
  )

const Plan = ({ first, onGoOn }: { readonly first: FirstPost; readonly onGoOn: () => void }) => {
  const isOut = first.state === "out"
  const [whole] = usePostsById(isOut ? [first.post.id] : [])
  if (first.state === "none") return <p>{words.plan.text}</p>
  const { caption, id, scheduled_at } = first.post
  const text = caption?.split("\n")[0] || words.noText
  const clock = scheduled_at === null ? null : wallClock(new Date(scheduled_at), workspace.timezone)
  const said = {
    draft: words.plan.draft(text),
    planned: words.plan.planned(text, clock?.time ?? ""),
    going: words.plan.going(text),
    failed: words.plan.failed(text),
    out: words.plan.out(text)
  }[first.state]
  const seen = whole?.results.find(({ platform_data }) => platform_data?.url)?.platform_data?.url
  return (
    <>
      <p role="status">
        {first.state === "going" && (
          <span className="sign going" aria-hidden="true">
            <Icon name="bell" />
          </span>
        )}
        {said}
      </p>
      <div className="actions">
        {isOut ? (
          <>
            {seen && (
              <a className="button" href={seen} target="_blank" rel="noreferrer">
                {words.plan.see}
                <Icon name="link" />
              </a>
            )}
            <Button look="main" onPress={onGoOn}>
              {words.plan.calendar}
            </Button>
          </>
        ) : (
          <Link to="/posts/$id" params={{ id }} className="button main">
            {words.plan.open}
          </Link>
        )}
      </div>
    </>
  )
}

interface Props {
  readonly first: FirstPost
  readonly onHide: () => void
  /** The person has seen the end of it. */
  readonly onGoOn: () => void
}

const order: ReadonlyArray<Step> = ["connect", "write", "plan"]

const Checklist = ({ first, onGoOn, onHide }: Props) => {
  const accounts = useAccountList()
  const instance = useInstance()
  const connected = [...(accounts.data?.values() ?? [])].filter(({ status }) => status === "connected")
  const step = stepOf(connected.length, first)
  const stateOf = (one: Step) =>
    step === "over" || order.indexOf(one) < order.indexOf(step)
      ? ("done" as const)
      : one === step
        ? ("open" as const)
        : ("later" as const)

  // Where a step is done by its button, the button goes; the focus goes on to the next step.
  const list = useRef<HTMLOListElement>(null)
  const before = useRef<Step | null>(null)
  useEffect(() => {
    if (accounts.isPending) return
    const hasGoneOn = before.current !== null && before.current !== step
    before.current = step
    const { activeElement } = document
    if (hasGoneOn && (activeElement === document.body || list.current?.contains(activeElement)))
      list.current?.querySelector<HTMLElement>(".open :is(a, button)")?.focus()
  }, [accounts.isPending, step])

  if (accounts.isPending) return <div className="bar" aria-busy="true" />
  return (
    <div className="welcome">
      <h1>{words.greetings[greetingAt(new Date(), workspace.timezone)](boot.member.name)}</h1>
      <p className="lead">{step === "over" ? words.textDone : words.text}</p>
      <div className="columns">
        <div>
          <ol className="card steps" aria-label={words.steps} ref={list}>
            <StepRow number={1} title={words.yours.title} state="done">
              <p>
                {words.yours.text(boot.member.name)} <code>{boot.public_url}</code>
              </p>
              <OwnClock />
            </StepRow>
            <StepRow number={2} title={words.connect.title} state={stateOf("connect")}>
              {stateOf("connect") === "open" ? (
                <Connect instance={instance} />
              ) : (
                connected.length > 0 && <p>{named(connected)}</p>
              )}
            </StepRow>
            <StepRow number={3} title={words.write.title} state={stateOf("write")}>
              {stateOf("write") !== "done" && <p>{words.write.text}</p>}
              {stateOf("write") === "open" && (
                <div className="actions">
                  <Link
                    to="/compose"
                    search={
                      connected[0] === undefined ? {} : { accounts: String(firstAccount(connected).id) }
                    }
                    className="button main"
                  >
                    {words.write.button}
                  </Link>
                </div>
              )}
            </StepRow>
            <StepRow number={4} title={words.plan.title} state={stateOf("plan")}>
              <Plan first={first} onGoOn={onGoOn} />
            </StepRow>
          </ol>
          <p className="below">
            <a href="/connect">
              <Icon name="link" />
              {words.api}
            </a>
            {step !== "over" && (
              <Button look="quiet" onPress={onHide}>
                {words.hide}
              </Button>
            )}
          </p>
        </div>
        <div className="beside">
          <Example />
          {instance?.connectable.some(({ platform }) => platform === testNetwork) && (
            <section className="card" aria-labelledby="test-network">
              <h2 id="test-network">{words.network.title}</h2>
              <p>{words.network.text}</p>
            </section>
          )}
        </div>
      </div>
    </div>
  )
}

export default Checklist

/** The test network's, where it is connected: what goes there is seen by nobody else. */
const firstAccount = (accounts: ReadonlyArray<Account>): Account =>
  accounts.find(({ platform }) => platform === testNetwork) ?? accounts[0]!

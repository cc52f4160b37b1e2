import { Link } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef } from "react"
import { type Account, useAccountList } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { useInstance } from "../data/instance.ts"
import { useWorkspaceChange } from "../data/useWorkspaceChange.ts"
import { ownZone, placeOf, sameClocks } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { ConnectStep, testNetwork } from "./ConnectStep.tsx"
import { words } from "./en.ts"
import { Example } from "./Example.tsx"
import { greetingAt } from "./greetingAt.ts"
import { PlanStep } from "./PlanStep.tsx"
import { type FirstPost, type Step, stepOf } from "./stepOf.ts"
import "./Checklist.css"

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

/** Offers the time zone of the browser: a new workspace is on UTC, where few people live. */
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

const namesOf = (accounts: ReadonlyArray<Account>) =>
  words.connect.connected(
    accounts
      .slice(0, 3)
      .map(({ name }) => name)
      .join(", "),
    accounts.length
  )

/** The test network's account if there is one: nobody else sees what goes there. */
const firstAccount = (accounts: ReadonlyArray<Account>): Account =>
  accounts.find(({ platform }) => platform === testNetwork) ?? accounts[0]!

interface Props {
  readonly first: FirstPost
  readonly onHide: () => void
  /** The person leaves the finished checklist. */
  readonly onGoOn: () => void
}

const order: ReadonlyArray<Step> = ["connect", "write", "plan"]

/** The first steps on a new instance. */
export const Checklist = ({ first, onGoOn, onHide }: Props) => {
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

  // The button that completes a step disappears with it, so the focus moves to the next step.
  const list = useRef<HTMLOListElement>(null)
  const action = useRef<HTMLAnchorElement>(null)
  const before = useRef<Step | null>(null)
  useEffect(() => {
    if (accounts.isPending) return
    const hasGoneOn = before.current !== null && before.current !== step
    before.current = step
    const { activeElement } = document
    if (hasGoneOn && (activeElement === document.body || list.current?.contains(activeElement)))
      action.current?.focus()
  }, [accounts.isPending, step, list, action, before])

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
                <ConnectStep instance={instance} />
              ) : (
                connected.length > 0 && <p>{namesOf(connected)}</p>
              )}
            </StepRow>
            <StepRow number={3} title={words.write.title} state={stateOf("write")}>
              {stateOf("write") !== "done" && <p>{words.write.text}</p>}
              {stateOf("write") === "open" && (
                <div className="actions">
                  <Link
                    ref={action}
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
              <PlanStep first={first} link={action} onGoOn={onGoOn} />
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

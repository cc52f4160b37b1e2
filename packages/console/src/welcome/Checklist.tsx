import { Link } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef } from "react"
import { type Account, useAccountList } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { boot } from "../data/boot.ts"
import { useInstance } from "../data/instance.ts"
import { useWorkspaceChange } from "../data/useWorkspaceChange.ts"
import { ownZone, placeOf, sameClocks } from "../time/zone.ts"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Columns } from "../ui/Columns.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Note } from "../ui/Note.tsx"
import { ConnectStep, testNetwork } from "./ConnectStep.tsx"
import { words } from "./en.ts"
import { Example } from "./Example.tsx"
import { greetingAt } from "./greetingAt.ts"
import { PlanStep } from "./PlanStep.tsx"
import { type FirstPost, type Step, stepOf } from "./stepOf.ts"

interface StepProps {
  readonly number: number
  readonly title: string
  readonly state: "done" | "open" | "later"
  readonly children?: ReactNode
}

const numbers: Readonly<Record<StepProps["state"], string>> = {
  done: "border-transparent bg-good-tint text-good",
  open: "border-brand bg-brand text-on-brand",
  later: "border-edge text-soft"
}

const StepRow = ({ children, number, state, title }: StepProps) => (
  <li className="flex gap-4 p-4 sm:px-6" aria-current={state === "open" ? "step" : undefined}>
    <span
      className={`grid size-6 flex-none place-items-center rounded-full border text-sm font-semibold ${numbers[state]}`}
      aria-hidden="true"
    >
      {state === "done" ? <Icon name="check" /> : number}
    </span>
    <div className="min-w-0 flex-1">
      <h2 className={`flex min-h-6 items-center gap-3 text-base ${state === "later" ? "text-soft" : ""}`}>
        {title}
        {state === "done" && <span className="ms-auto text-xs font-normal text-soft">{words.done}</span>}
      </h2>
      <div className="flex flex-col gap-3 pt-1 text-sm text-soft">{children}</div>
    </div>
  </li>
)

/** Offers the time zone of the browser: a new workspace is on UTC, where few people live. */
const OwnClock = () => {
  const { change, isSaving } = useWorkspaceChange()
  if (sameClocks(workspace.timezone, ownZone)) return null
  const place = placeOf(ownZone)
  return (
    <p className="flex flex-wrap items-center gap-2">
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

  if (accounts.isPending) return <div aria-busy="true" />
  return (
    <div className="-mx-room min-h-0 flex-1 overflow-y-auto px-room pb-6 max-sm:mx-0 max-sm:px-0">
      <div className="mx-auto max-w-welcome">
        <h1 className="pt-8 pb-1 text-2xl max-sm:px-4">
          {words.greetings[greetingAt(new Date(), workspace.timezone)](boot.member.name)}
        </h1>
        <p className="pb-6 text-soft max-sm:px-4">{step === "over" ? words.textDone : words.text}</p>
        <Columns
          side={
            <>
              <Example />
              {instance?.connectable.some(({ platform }) => platform === testNetwork) && (
                <Card title={words.network.title}>
                  <Note>{words.network.text}</Note>
                </Card>
              )}
            </>
          }
        >
          <Card>
            <ol
              className="divide-y divide-hair max-sm:control:min-h-touch"
              aria-label={words.steps}
              ref={list}
            >
              <StepRow number={1} title={words.yours.title} state="done">
                <p>
                  {words.yours.text(boot.member.name)}{" "}
                  <code className="text-xs text-ink">{boot.public_url}</code>
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
                  <p className="flex">
                    <Link
                      ref={action}
                      to="/compose"
                      search={
                        connected[0] === undefined ? {} : { accounts: String(firstAccount(connected).id) }
                      }
                      className={buttonClass("main")}
                    >
                      {words.write.button}
                    </Link>
                  </p>
                )}
              </StepRow>
              <StepRow number={4} title={words.plan.title} state={stateOf("plan")}>
                <PlanStep first={first} link={action} onGoOn={onGoOn} />
              </StepRow>
            </ol>
          </Card>
          <p className="flex flex-wrap items-center justify-between gap-x-4 text-sm max-sm:px-4 max-sm:control:min-h-touch">
            <Link to="/settings/connect-app" className="flex min-h-6 items-center gap-2 max-sm:min-h-touch">
              <Icon name="link" />
              {words.api}
            </Link>
            {step !== "over" && (
              <Button look="quiet" onPress={onHide}>
                {words.hide}
              </Button>
            )}
          </p>
        </Columns>
      </div>
    </div>
  )
}

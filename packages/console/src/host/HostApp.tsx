import { useEffect, useMemo, useState } from "react"
import { type CalendarShown, readCalendar, readContent } from "./appData.ts"
import { callTool, connect, type Input, sentencesOf, type ToolResult } from "./bridge.ts"
import { customsOf, followCustoms } from "../time/customs.ts"
import { Button } from "../ui/Button.tsx"
import { words } from "./en.ts"
import { HostCalendar } from "./HostCalendar.tsx"
import { type Answer, HostPreview, type PreviewShown } from "./HostPreview.tsx"
import { applyHostTheme } from "./applyHostTheme.ts"
import type { Notice } from "./NoticeLine.tsx"

type Shown =
  | { readonly kind: "text"; readonly text: string; readonly bad?: boolean; readonly again?: () => void }
  | { readonly kind: "calendar"; readonly input: Input; readonly shown: CalendarShown }
  | {
      readonly kind: "preview"
      readonly input: Input
      readonly shown: PreviewShown
      readonly notice: Notice | undefined
    }

const shownOf = async (result: ToolResult, input: Input, notice?: Notice): Promise<Shown> => {
  const { structuredContent } = result
  if (result.isError === true || structuredContent === undefined)
    return { kind: "text", text: sentencesOf(result), bad: true }
  if ("days" in structuredContent) {
    const { from, timezone, to } = structuredContent
    return { kind: "calendar", input, shown: await readCalendar({ ...input, from, timezone, to }) }
  }
  const answer = structuredContent as unknown as Answer
  const social_accounts = answer.accounts.map(({ account_id }) => account_id)
  const content = await readContent({ ...input, social_accounts })
  return { kind: "preview", input, shown: { ...content, answer }, notice }
}

const zoneOf = (shown: Shown) => {
  if (shown.kind === "calendar") return shown.shown.calendar.timezone
  return shown.kind === "preview" ? shown.shown.timezone : undefined
}

/** The page that a host shows for the tools `show_calendar` and `preview_post`. */
export const HostApp = () => {
  const [shown, setShown] = useState<Shown>({ kind: "text", text: words.waiting })
  const [language, setLanguage] = useState<string>()
  const zone = zoneOf(shown)
  const customs = useMemo(
    () => (zone === undefined ? undefined : customsOf(language, zone)),
    [language, zone]
  )
  // The components below read them while they render.
  followCustoms(customs)
  useEffect(() => {
    let input: Input = {}
    const failed = (error: Error, again?: () => void) =>
      setShown({ kind: "text", text: error.message, bad: true, ...(again && { again }) })
    const show = (result: ToolResult): void =>
      void shownOf(result, input).then(setShown, (error) => failed(error, () => show(result)))
    connect({
      onInput: (args) => (input = args),
      onResult: show,
      onCancelled: () => setShown({ kind: "text", text: words.cancelled }),
      onContext: (context) => {
        applyHostTheme(context)
        if (context.locale !== undefined) setLanguage(context.locale)
      }
    }).catch(failed)
  }, [])
  switch (shown.kind) {
    case "text":
      return (
        <main>
          <p
            className={shown.bad === true ? "text-bad" : undefined}
            role={shown.bad === true ? "alert" : "status"}
          >
            {shown.text}
          </p>
          {shown.again && <Button onPress={shown.again}>{words.tryAgain}</Button>}
        </main>
      )
    case "calendar":
      return <HostCalendar first={shown.shown} input={shown.input} />
    case "preview":
      return (
        <HostPreview
          key={JSON.stringify(shown.input)}
          input={shown.input}
          shown={shown.shown}
          noticeBefore={shown.notice}
          onAgain={async (input, notice) =>
            setShown(await shownOf(await callTool("preview_post", input), input, notice))
          }
        />
      )
  }
}

import { followedCustoms } from "../time/customs.ts"
import { firstWeekdayOf } from "../time/days.ts"

/** What a person chose for this browser. Where the browser keeps nothing, it lasts as long as the page. */
const inPage = new Map<string, string>()

const read = (name: string) => {
  try {
    return localStorage.getItem(`carillon.${name}`)
  } catch {
    return inPage.get(name) ?? null
  }
}

const write = (name: string, value: string) => {
  try {
    localStorage.setItem(`carillon.${name}`, value)
  } catch {
    inPage.set(name, value)
  }
}

export const themes = ["system", "light", "dark"] as const

export type Theme = (typeof themes)[number]

export const theme = (): Theme => themes.find((one) => one === read("theme")) ?? "system"

export const showTheme = () => {
  const chosen = theme()
  if (chosen === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = chosen
}

export const chooseTheme = (chosen: Theme) => {
  write("theme", chosen)
  showTheme()
}

/** 1 for Monday to 7 for Sunday; null: as the browser's language has it. */
export const chosenFirstWeekday = (): number | null => {
  const chosen = Number(read("first-weekday"))
  return [1, 6, 7].includes(chosen) ? chosen : null
}

export const chooseFirstWeekday = (weekday: number | null) =>
  write("first-weekday", weekday === null ? "" : String(weekday))

export const firstWeekday = () =>
  chosenFirstWeekday() ?? followedCustoms()?.firstWeekday ?? firstWeekdayOf(navigator.language)

/** Whether a letter alone does something. Who speaks to the browser switches it off. */
export const singleKeys = () => read("single-keys") !== "off"

export const chooseSingleKeys = (on: boolean) => write("single-keys", on ? "on" : "off")

/** How far the first steps of a workspace are: not seen yet, begun, or over. */
export const firstSteps = (workspaceId: string) =>
  read(`first-steps.${workspaceId}`) as "begun" | "over" | null

export const keepFirstSteps = (workspaceId: string, state: "begun" | "over") =>
  write(`first-steps.${workspaceId}`, state)

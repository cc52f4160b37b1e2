import type { HostContext } from "./bridge.ts"

/** The console's variables for each of the host's. */
const ours: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--color-text-primary": ["--ink"],
  "--color-text-secondary": ["--soft"],
  "--color-text-danger": ["--bad"],
  "--color-text-success": ["--good"],
  "--color-background-primary": ["--card", "--raised"],
  "--color-background-secondary": ["--paper", "--sunk"],
  "--color-border-primary": ["--line", "--hair"],
  "--font-sans": ["--font"]
}

/** Takes colours and type from the host. */
export const applyHostTheme = ({ styles, theme }: HostContext) => {
  const root = document.documentElement
  if (theme !== undefined) root.dataset["theme"] = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (value !== undefined) for (const own of ours[name] ?? []) root.style.setProperty(own, value)
}

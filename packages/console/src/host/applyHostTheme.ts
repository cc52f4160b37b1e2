import type { HostContext } from "./bridge.ts"

/** The console's variables for each of the host's. */
const ours: Readonly<Record<string, ReadonlyArray<string>>> = {
  "--color-text-primary": ["--color-ink"],
  "--color-text-secondary": ["--color-soft"],
  "--color-text-danger": ["--color-bad"],
  "--color-text-success": ["--color-good"],
  "--color-background-primary": ["--color-card", "--color-raised"],
  "--color-background-secondary": ["--color-paper", "--color-sunk"],
  "--color-border-primary": ["--color-line", "--color-hair"],
  "--font-sans": ["--font-sans"]
}

/** Takes colours and type from the host. */
export const applyHostTheme = ({ styles, theme }: HostContext) => {
  const root = document.documentElement
  if (theme !== undefined) root.dataset["theme"] = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (value !== undefined) for (const own of ours[name] ?? []) root.style.setProperty(own, value)
}

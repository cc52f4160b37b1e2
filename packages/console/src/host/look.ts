import type { HostContext } from "./bridge.ts"

/** The host's names of what has a colour or a face here. */
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

/** Looks like the host around it. */
export const wear = ({ styles, theme }: HostContext) => {
  const root = document.documentElement
  if (theme !== undefined) root.dataset["theme"] = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (value !== undefined) for (const own of ours[name] ?? []) root.style.setProperty(own, value)
}

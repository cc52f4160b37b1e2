import { Unusable } from "./Unusable.ts"

/** `--set tiktok.is_aigc=true`, `--set @demo.title=Bells`, `--caption-for 42=Hello`. */
export interface Setting {
  /** A platform, or an account as in `--to`. */
  readonly target: string
  readonly option: string
  readonly text: string
  readonly from: string
}

export const toSetting = (text: string, from = "--set"): Setting => {
  // Handles contain dots too.
  const [, target, option, value] = /^([^=]+)\.([^.=]+)=(.*)$/s.exec(text) ?? []
  if (target !== undefined) return { target, option: option!, text: value!, from }
  throw new Unusable(
    `${from}: ${JSON.stringify(text)} is not platform.option=value.`,
    "For example: --set tiktok.is_aigc=true, or --set @demo.title=Bells for one account."
  )
}

export const toCaptionFor = (text: string): Setting => {
  const [, target, caption] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (target !== undefined) return { target, option: "caption", text: caption!, from: "--caption-for" }
  throw new Unusable(
    `--caption-for: ${JSON.stringify(text)} is not account=caption.`,
    'For example: --caption-for 42="Good evening"; a platform or @handle works too.'
  )
}

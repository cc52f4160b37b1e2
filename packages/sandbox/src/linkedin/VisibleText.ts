export interface VisibleText {
  readonly text: string
  readonly mentions: ReadonlyArray<{ readonly name: string; readonly urn: string }>
  readonly hashtags: ReadonlyArray<string>
}

const reserved = String.raw`\\|{}@\[\]()<>#*_~`
const escaped = String.raw`\\[${reserved}]`
const plain = String.raw`(?:[^${reserved}]|${escaped})`

const elements = new RegExp(
  [
    String.raw`(?<text>${plain}+)`,
    String.raw`@\[(?<name>${plain}+)\] ?\((?<urn>urn:li:(?:person|organization):[\w-]+)\)`,
    String.raw`\{hashtag\|\\?(?<sign>#|＃)\|(?<template>${plain}+)\}`,
    String.raw`#(?<hashtag>[\p{L}\p{N}]+)`
  ].join("|"),
  "uy"
)

const unescaped = (text: string) => text.replaceAll(new RegExp(`\\\\([${reserved}])`, "gu"), "$1")

/**
 * What readers see of a `little` text. Where a reserved character stands that is neither escaped nor part of an element,
 * the text ends there, and nobody is told.
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format
 */
export const visibleText = (little: string): VisibleText => {
  let text = ""
  const mentions: Array<{ name: string; urn: string }> = []
  const hashtags: Array<string> = []
  elements.lastIndex = 0
  for (let match = elements.exec(little); match !== null; match = elements.exec(little)) {
    const { hashtag, name, sign = "#", template, urn } = match.groups!
    if (name !== undefined) mentions.push({ name: unescaped(name), urn: urn! })
    const tag = hashtag ?? template
    if (tag !== undefined) hashtags.push(unescaped(tag))
    text += name ?? (tag === undefined ? match.groups!["text"]! : `${sign}${tag}`)
  }
  return { text: unescaped(text), mentions, hashtags }
}

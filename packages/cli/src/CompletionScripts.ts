import type { CommandNode } from "./CommandTree.ts"

export const shells = ["bash", "zsh", "fish"] as const

type Options = CommandNode["options"]

/** A place in a command line and what can follow there: one for each command, and one for the program. */
interface Place {
  readonly at: string
  readonly commands: ReadonlyArray<{ readonly name: string; readonly summary: string }>
  readonly options: Options
  /** Words that the first argument can be. */
  readonly words: ReadonlyArray<string>
}

export const completionScript = (
  shell: (typeof shells)[number],
  commands: ReadonlyArray<CommandNode>,
  everywhere: Options
): string =>
  scripts[shell](
    placesOf(commands, everywhere),
    commands.map(({ command }) => command)
  )

const placesOf = (commands: ReadonlyArray<CommandNode>, everywhere: Options): ReadonlyArray<Place> => {
  const childrenOf = (at: string) =>
    commands.flatMap(({ command, summary }) => {
      const name = at === "" ? command : command.startsWith(`${at} `) ? command.slice(at.length + 1) : " "
      return name.includes(" ") ? [] : [{ name, summary }]
    })
  // A group's name alone runs its `list`.
  const listOf = (at: string) => commands.find(({ command }) => command === `${at} list`)?.options ?? []
  return [
    { at: "", commands: childrenOf(""), options: everywhere, words: [] },
    ...commands.map(({ arguments: [first], command, options }) => ({
      at: command,
      commands: childrenOf(command),
      options: [...options, ...listOf(command), ...everywhere],
      words: first?.choices ?? []
    }))
  ]
}

const known = (paths: ReadonlyArray<string>) => `|${paths.join("|")}|`

const withChoices = ({ at, options }: Place) =>
  options.flatMap(({ choices, name }) => (choices === null ? [] : [{ after: `${at}|${name}`, choices }]))

/** The text in the quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const bash = (places: ReadonlyArray<Place>, paths: ReadonlyArray<string>) => `# bash completion of carillon
_carillon() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${quoted(known(paths))} in
      *"|\${at:+$at }\${COMP_WORDS[i]}|"*) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at|$prev" in
${places
  .flatMap(withChoices)
  .map(({ after, choices }) => `    ${quoted(after)}) words=${quoted(choices.join(" "))} ;;`)
  .join("\n")}
    *)
      case "$at" in
${places
  .map(
    ({ at, commands, options, words }) =>
      `        ${quoted(at)}) words=${quoted(
        [...commands.map(({ name }) => name), ...words, ...options.map(({ name }) => name), "--help"].join(
          " "
        )
      )} ;;`
  )
  .join("\n")}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _carillon carillon
`

const zsh = (places: ReadonlyArray<Place>, paths: ReadonlyArray<string>) => {
  const offer = (name: string, description: string) =>
    quoted(`${name.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`)
  return `#compdef carillon
_carillon() {
  local at="" word
  local -a offers
  for word in \${words[2,CURRENT-1]}; do
    [[ ${quoted(known(paths))} == *"|\${at:+$at }$word|"* ]] && at="\${at:+$at }$word"
  done
  case "$at|\${words[CURRENT-1]}" in
${places
  .flatMap(withChoices)
  .map(({ after, choices }) => `    ${quoted(after)}) offers=(${choices.map(quoted).join(" ")}) ;;`)
  .join("\n")}
    *)
      case "$at" in
${places
  .map(
    ({ at, commands, options, words }) =>
      `        ${quoted(at)}) offers=(${[
        ...commands.map(({ name, summary }) => offer(name, summary)),
        ...words.map(quoted),
        ...options.map(({ description, name }) => offer(name, description)),
        offer("--help", "show help")
      ].join(" ")}) ;;`
  )
  .join("\n")}
      esac
      ;;
  esac
  _describe carillon offers || _files
}
compdef _carillon carillon
`
}

const fish = (places: ReadonlyArray<Place>, paths: ReadonlyArray<string>) => `# fish completion of carillon
set -g __carillon_commands ${paths.map(quoted).join(" ")}
function __carillon_at
  set -l at ""
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$at $word")
    contains -- "$next" $__carillon_commands; and set at "$next"
  end
  test "$at" = "$argv[1]"
end
${places
  .flatMap(({ at, commands, options, words }) => {
    const when = `complete -c carillon -n ${quoted(`__carillon_at ${quoted(at)}`)}`
    return [
      ...commands.map(({ name, summary }) => `${when} -f -a ${quoted(name)} -d ${quoted(summary)}`),
      ...words.map((word) => `${when} -f -a ${quoted(word)}`),
      ...options.map(
        ({ choices, description, name, takes_value }) =>
          `${when} -l ${name.replace(/^--/, "")}${takes_value ? " -r" : ""}${
            choices === null ? "" : ` -f -a ${quoted(choices.join(" "))}`
          } -d ${quoted(description)}`
      )
    ]
  })
  .join("\n")}
`

const scripts = { bash, zsh, fish } as const

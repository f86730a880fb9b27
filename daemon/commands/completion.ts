import { Command } from 'commander'
import { examples } from './cli.ts'
import { CliError, exitCodes } from './exit.ts'

const shells: Record<string, (name: string, words: ReadonlyMap<string, readonly string[]>) => string> = {
  bash: (name, words) => `# ${name} completion for bash: source this file
_${name}() {
  local line="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) line="\${line:+$line }$word" ;; esac
  done
  local words=""
  case "$line" in
${cases(words, (list) => `words="${list.join(' ')}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`,
  zsh: (name, words) => `#compdef ${name}
_${name}() {
  local line="" word
  for word in \${words[2,CURRENT-1]}; do
    case "$word" in -*) ;; *) line="\${line:+$line }$word" ;; esac
  done
  local -a list
  case "$line" in
${cases(words, (list) => `list=(${list.join(' ')})`)}
  esac
  if (( \${#list} )); then compadd -- $list; else _files; fi
}
compdef _${name} ${name}
`,
  fish: (name, words) =>
    `# ${name} completion for fish: save as ~/.config/fish/completions/${name}.fish
function __${name}_path
  string join ' ' (string match -v -- '-*' (commandline -opc)[2..-1])
end
${[...words]
  .map(([path, list]) => `complete -c ${name} -n 'test (__${name}_path) = "${path}"' -a '${list.join(' ')}'`)
  .join('\n')}
`,
}

function cases(
  words: ReadonlyMap<string, readonly string[]>,
  body: (list: readonly string[]) => string,
): string {
  return [...words].map(([path, list]) => `    "${path}") ${body(list)} ;;`).join('\n')
}

/** Words that may follow each path of subcommands: further ones and options. */
function wordsOf(command: Command, path: string, into: Map<string, readonly string[]>): void {
  const options = command.options.flatMap((o) => (o.long ? [o.long] : []))
  into.set(path, [...command.commands.map((c) => c.name()), ...options, '--help'])
  for (const sub of command.commands) wordsOf(sub, path === '' ? sub.name() : `${path} ${sub.name()}`, into)
}

export function completionCommand(): Command {
  return new Command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for a shell')
    .addHelpText(
      'after',
      examples(
        'source <(fornaxd completion bash)',
        'fornaxd completion fish > ~/.config/fish/completions/fornaxd.fish',
      ),
    )
    .action((shell: string, _options: unknown, command: Command) => {
      const render = Object.hasOwn(shells, shell) ? shells[shell] : undefined
      if (!render)
        throw new CliError(`there is completion for bash, zsh and fish, not for ${shell}`, exitCodes.usage)
      const words = new Map<string, readonly string[]>()
      const root = command.parent as Command
      wordsOf(root, '', words)
      const names = root.commands.map((c) => c.name())
      words.set('', ['help', ...words.get('')!])
      words.set('help', names)
      process.stdout.write(render('fornaxd', words))
    })
}

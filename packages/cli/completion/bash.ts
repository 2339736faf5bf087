import type { Command } from '../command.js';
import { firstWords, membersByGroup, wordsOfOptions } from './vocabulary.js';

/** Works with bash 3.2, which macOS has, and without the package bash-completion. */
export function bashScript(commands: readonly Command[]): string {
  return [
    '_perdure() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=""',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${firstWords(commands).join(' ')} --help" -- "$word"))`,
    '    return',
    '  fi',
    '  case $command in',
    ...[...membersByGroup(commands)].flatMap(([group, members]) => [
      `    ${group})`,
      '      if [ "$COMP_CWORD" -eq 2 ]; then',
      `        COMPREPLY=($(compgen -W "${members.join(' ')} --help" -- "$word"))`,
      '        return',
      '      fi',
      '      command="$command ${COMP_WORDS[2]}" ;;',
    ]),
    '  esac',
    '  case "$command $before" in',
    ...commands.flatMap((command) =>
      wordsOfOptions(command).map(
        ([option, words]) =>
          `    "${command.name} --${option}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word")); return ;;`,
      ),
    ),
    '  esac',
    '  case $command in',
    ...commands.map(
      ({ name, options }) =>
        `    "${name}") words="${Object.keys(options)
          .map((option) => `--${option}`)
          .join(' ')}" ;;`,
    ),
    '  esac',
    '  case $word in',
    '    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;',
    '    *) COMPREPLY=($(compgen -f -- "$word")) ;;',
    '  esac',
    '}',
    'complete -o filenames -F _perdure perdure',
  ].join('\n');
}

import type { Command, Option } from '../command.js';
import { membersByGroup } from './vocabulary.js';

export function zshScript(commands: readonly Command[]): string {
  const standalone = commands.filter(({ name }) => !name.includes(' '));
  const groups = [...membersByGroup(commands).keys()];
  return [
    '#compdef perdure',
    '_perdure() {',
    '  local command=$words[2]',
    '  if (( CURRENT == 2 )); then',
    `    local -a known=(${[...standalone.map(entry), ...groups.map(quoted)].join(' ')})`,
    "    _describe 'command' known",
    '    return',
    '  fi',
    '  case $command in',
    ...groups.flatMap((group) => [
      `    ${group})`,
      '      if (( CURRENT == 3 )); then',
      `        local -a known=(${commands.flatMap((one) => memberEntry(one, group)).join(' ')})`,
      "        _describe 'command' known",
      '        return',
      '      fi',
      '      command="$command $words[3]"',
      '      shift words; (( CURRENT-- )) ;;',
    ]),
    '  esac',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...commands.map(
      ({ name, options }) =>
        `    ${quoted(name)}) _arguments ${Object.entries(options).map(argument).join(' ')} '*:file:_files' ;;`,
    ),
    '  esac',
    '}',
    'if [ "$funcstack[1]" = _perdure ]; then _perdure "$@"; else compdef _perdure perdure; fi',
  ].join('\n');
}

function entry({ name, summary }: Command): string {
  return quoted(`${name}:${summary.replaceAll(':', '\\:')}`);
}

function memberEntry(command: Command, group: string): string[] {
  const [first, member] = command.name.split(' ') as [string, string?];
  return first === group && member !== undefined ? [entry({ ...command, name: member })] : [];
}

/** `'--status[only instances with this status]:STATUS:(running completed)'` */
function argument([name, { help, value, words }]: [string, Option]): string {
  const description = help.replaceAll(/[[\]\\:]/g, '\\$&');
  const values = words === undefined ? '_files' : `(${words.map((word) => word.toLowerCase()).join(' ')})`;
  return quoted(`--${name}[${description}]${value === undefined ? '' : `:${value}:${values}`}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

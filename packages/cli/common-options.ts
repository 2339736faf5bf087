/** The options that every command has. */
import type { Option } from './command.js';

export const commonOptions = {
  profile: { type: 'string', value: 'NAME', help: 'saved profile to use (see perdure profile list)' },
  api: {
    type: 'string',
    value: 'URL',
    help: 'URL of the host (default: PERDURE_API, then the profile in use, then npm start in this checkout)',
  },
  project: { type: 'string', value: 'ID', help: 'id of the project (default: PERDURE_PROJECT, then the profile)' },
  output: { type: 'string', value: 'FORMAT', words: ['text', 'json'], help: 'text (default) or json' },
  json: { type: 'boolean', help: 'the same as --output json' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
} as const satisfies { [name: string]: Option };

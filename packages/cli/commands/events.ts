import { printable } from '@perdure/lib/trust/printable.js';
import { followEvents, type Schemas } from '@perdure/client';
import { exitCodes, type Command } from '../command.js';
import { show } from '../terminal.js';

export const events: Command = {
  name: 'events',
  role: 'viewer',
  operands: '',
  summary: 'Follow the events of a project',
  details: 'One line for each event, until Ctrl-C. The project needs an event feed: an admin sets eventRetention.',
  examples: ['perdure events --type perdure.incident.raised', 'perdure events --after 0 --output json'],
  minOperands: 0,
  maxOperands: 0,
  options: {
    type: { type: 'string', value: 'TYPE', help: 'only events of these types (separated by commas)' },
    process: { type: 'string', value: 'ID', help: 'only events of this process' },
    after: {
      type: 'string',
      value: 'POSITION',
      help: 'events after this position; 0 is before the oldest (default: from now on)',
    },
  },
  async run({ terminal, option, signal, host: findHost }) {
    const { client, projectID } = await findHost();
    const log = (line: string) => terminal.complain(line);
    const feed = {
      projectID,
      after: option('after'),
      types: option('type'),
      processId: option('process'),
      signal,
      log,
    };
    for await (const event of followEvents(client, feed)) show(terminal, event, () => [printable(lineOf(event))]);
    return exitCodes.done;
  },
};

function lineOf({ id, time, type, subject, data }: Schemas['CloudEvent']): string {
  const { processId, nodeID } = data as { processId?: string; nodeID?: string };
  return [time, id, type, subject, processId, nodeID].filter((part) => part !== undefined).join('  ');
}

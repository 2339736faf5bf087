/** Settings of a process: show them, or replace all of them. */
import { unwrap, type Schemas } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../../command.js';
import { fieldLines } from '../../lists/fields.js';
import { show } from '../../terminal.js';
import { oneOf, wholeNumber } from '../../values.js';
import { reasonOf, reasonOption } from '../instance/target.js';

type Settings = Schemas['BpmnProcessSettings'];

const exampleProcess = 'order-fulfilment';
const uniqueness = ['NONE', 'RUNNING', 'EVER'] as const;
const fullness = ['QUEUE', 'REFUSE'] as const;

export const showSettings: Command = {
  name: 'processes settings',
  role: 'viewer',
  operands: 'PROCESS_ID',
  summary: 'Show the settings of a process',
  examples: [`perdure processes settings ${exampleProcess}`],
  minOperands: 1,
  maxOperands: 1,
  options: {},
  async run({ operands, terminal, host }) {
    const { client, projectID } = await host();
    const params = { path: { projectID, processID: operands[0]! } };
    const settings = await unwrap<Settings>(
      client.GET('/projects/{projectID}/bpmn/processes/{processID}/settings', { params }),
    );
    show(terminal, settings, () => describe(settings));
    return exitCodes.done;
  },
};

export const setSettings: Command = {
  name: 'processes configure',
  role: 'admin',
  operands: 'PROCESS_ID',
  summary: 'Replace the settings of a process',
  details: 'For root instances of all versions. A setting without an option gets its default.',
  examples: [
    `perdure processes configure ${exampleProcess} --unique-business-id RUNNING`,
    `perdure processes configure ${exampleProcess} --concurrent 5 --key customer.id --reason 'the shop takes five'`,
  ],
  minOperands: 1,
  maxOperands: 1,
  options: {
    'unique-business-id': { type: 'string', words: uniqueness, help: 'instances that a business id may have one of' },
    concurrent: { type: 'string', value: 'NUMBER', help: 'instances that run at once, per value of the key' },
    key: { type: 'string', value: 'FEEL', help: 'over the start variables' },
    'when-full': { type: 'string', words: fullness, help: 'whether further starts wait or are refused' },
    'max-queued': { type: 'string', value: 'NUMBER', help: 'instances of the process that wait for a place' },
    ...reasonOption,
  },
  async run(invocation) {
    const body = bodyOf(invocation);
    const { client, projectID } = await invocation.host();
    const params = { path: { projectID, processID: invocation.operands[0]! } };
    const settings = await unwrap<Settings>(
      client.PUT('/projects/{projectID}/bpmn/processes/{processID}/settings', { params, body }),
    );
    show(invocation.terminal, settings, () => describe(settings));
    return exitCodes.done;
  },
};

function bodyOf(invocation: Invocation): Schemas['PutBpmnProcessSettingsRequest'] {
  const uniqueBusinessId = oneOf(invocation, 'unique-business-id', uniqueness);
  const whenFull = oneOf(invocation, 'when-full', fullness);
  const concurrentInstances = wholeNumber(invocation, 'concurrent', 1, 100_000);
  const maxQueued = wholeNumber(invocation, 'max-queued', 1, 1_000_000);
  const concurrencyKey = invocation.option('key');
  return {
    ...(uniqueBusinessId !== undefined && { uniqueBusinessId }),
    ...(concurrentInstances !== undefined && { concurrentInstances }),
    ...(concurrencyKey !== undefined && { concurrencyKey }),
    ...(whenFull !== undefined && { whenFull }),
    ...(maxQueued !== undefined && { maxQueued }),
    ...reasonOf(invocation),
  };
}

function describe(settings: Settings): string[] {
  const { uniqueBusinessId, concurrentInstances, concurrencyKey, whenFull, maxQueued } = settings;
  return fieldLines({
    'Unique business id': uniqueBusinessId,
    'Concurrent instances': concurrentInstances ?? 'no limit',
    'Concurrency key': concurrencyKey,
    'When full': whenFull,
    'Queued at most': maxQueued,
  });
}

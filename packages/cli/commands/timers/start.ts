/** Timers that start a process: skip the next tick, or start an instance now. */
import { unwrap } from '@perdure/client';
import { exitCodes, type Command, type Invocation } from '../../command.js';
import { reasonOf, reasonOption } from '../instance/target.js';

const exampleTimer = '5e6ed7f5-39d4-4c0a-9b0c-8f1f0b6a7c11 every-morning';
const common = {
  role: 'editor',
  operands: 'DEFINITION_ID START_EVENT',
  minOperands: 2,
  maxOperands: 2,
  options: reasonOption,
} as const;

export const skipStartTimer: Command = {
  ...common,
  name: 'timers skip',
  summary: 'Skip the next tick of a start timer',
  details: 'It starts no instance. Another time, it skips the tick after it. The version must be the newest one.',
  examples: [`perdure timers skip ${exampleTimer} --reason 'a holiday'`],
  run: (invocation) => change(invocation, 'skip', 'The next tick is skipped'),
};

export const runStartTimer: Command = {
  ...common,
  name: 'timers run',
  summary: 'Start an instance at a start timer now',
  details: 'The ticks of the timer stay as they are. The version must be the newest one.',
  examples: [`perdure timers run ${exampleTimer}`],
  run: (invocation) => change(invocation, 'run', 'Instance started'),
};

async function change(invocation: Invocation, action: 'skip' | 'run', done: string): Promise<number> {
  const [definitionID, nodeID] = invocation.operands as [string, string];
  const { client, projectID } = await invocation.host();
  await unwrap<unknown>(
    client.POST(`/projects/{projectID}/bpmn/definitions/{definitionID}/start-timers/{nodeID}/${action}`, {
      params: { path: { projectID, definitionID, nodeID } },
      body: reasonOf(invocation),
    }),
  );
  invocation.terminal.write(done);
  return exitCodes.done;
}

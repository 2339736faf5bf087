/**
 * Hand-written workflows for these six models, without an interpreter: the same signals, the same rows, one step commit
 * per wake-up. The difference to the product is the price of interpreting.
 */
import { condition, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Command } from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { call } from '../../workflows/activities.js';
import { TaskLoad } from '../../workflows/instance/task-load.js';
import { COMMAND_SIGNAL, type ProcessInstanceInput } from '../../workflows/messages.js';
import { Recorder } from './recorder.js';

const commandSignal = defineSignal<[Command]>(COMMAND_SIGNAL);

interface Twin {
  recorder: Recorder;
  commitStep(variables?: Variables): Promise<void>;
  /** The command that ends what the instance waits for. */
  next(): Promise<Command>;
}

const processes: Record<string, (twin: Twin, variables: Variables) => Promise<void>> = {
  w1: tenScripts,
  w2: (twin) => jobs(twin, 1),
  w3: (twin) => jobs(twin, 5),
  w4: tenBranches,
  w5: userTask,
  w6: message,
};

export async function processInstance(input: ProcessInstanceInput): Promise<void> {
  const process = input.graph!.processID;
  const variables = input.start!.variables;
  const twin = openTwin(input.projectID);
  twin.recorder.begin(process, variables);
  await processes[process]!(twin, variables);
}

function openTwin(projectID: string): Twin {
  const inbox: Command[] = [];
  setHandler(commandSignal, (command) => {
    inbox.push(command);
  });
  const recorder = new Recorder();
  const load = new TaskLoad();
  const { workflowId: workflowID } = workflowInfo();
  let handled = 0;
  let steps = 0;
  return {
    recorder,
    async next() {
      await condition(() => inbox.length > 0);
      return inbox.shift()!;
    },
    async commitStep(variables) {
      const command = steps === 0 ? undefined : (handled += 1);
      if (command !== undefined) recorder.add({ kind: 'COMMAND_HANDLED', number: command });
      steps += 1;
      await call(
        load,
        'exchange',
        {
          projectID,
          kind: 'commit',
          commit: {
            workflowID,
            number: steps,
            inputs: { now: Date.now(), lastCommand: handled },
            facts: recorder.take(),
            outcomes: command === undefined ? [] : [{ number: command, status: 'APPLIED' }],
            ...(variables && { variables }),
          },
          context: { received: handled },
        },
        'step commit',
      );
    },
  };
}

async function tenScripts({ recorder, commitStep }: Twin, variables: Variables): Promise<void> {
  let x = variables['x'] as number;
  recorder.pass('start', 'f0');
  for (let index = 1; index <= 10; index += 1) {
    const task = recorder.enter(`t${index}`);
    x += 1;
    recorder.result(task, { x });
    recorder.leave(task, `f${index}`);
  }
  recorder.pass('end');
  recorder.end();
  await commitStep({ x });
}

async function jobs({ recorder, commitStep, next }: Twin, count: number): Promise<void> {
  recorder.pass('start', 'f0');
  for (let index = 1; index <= count; index += 1) {
    const task = recorder.enter(`t${index}`);
    const job = recorder.open('JOB_CREATED', task, `t${index}`);
    await commitStep();
    await next();
    recorder.add({ kind: 'JOB_COMPLETED', job });
    recorder.leave(task, `f${index}`);
  }
  recorder.pass('end');
  recorder.end();
  await commitStep();
}

async function tenBranches({ recorder, commitStep }: Twin, variables: Variables): Promise<void> {
  const x = variables['x'] as number;
  const results: Variables = {};
  const branches = Array.from({ length: 10 }, (_, index) => index + 1);
  recorder.pass('start', 'f0');
  recorder.pass('fork', ...branches.map((branch) => `a${branch}`));
  for (const branch of branches) {
    const task = recorder.enter(`t${branch}`);
    results[`y${branch}`] = x + branch;
    recorder.result(task, { [`y${branch}`]: x + branch });
    recorder.leave(task, `b${branch}`);
  }
  for (const _branch of branches) recorder.add({ kind: 'TOKEN_ARRIVED' });
  recorder.leave(recorder.enter('join', { joined: branches.map((branch) => `b${branch}`) }), 'f1');
  recorder.pass('end');
  recorder.end();
  await commitStep({ ...variables, ...results });
}

async function userTask({ recorder, commitStep, next }: Twin): Promise<void> {
  recorder.pass('start', 'f0');
  const element = recorder.enter('u1');
  const task = recorder.open('USER_TASK_CREATED', element, 'u1');
  await commitStep();
  await next();
  recorder.add({ kind: 'USER_TASK_COMPLETED', task });
  recorder.leave(element, 'f1');
  recorder.pass('end');
  recorder.end();
  await commitStep();
}

async function message({ recorder, commitStep, next }: Twin, variables: Variables): Promise<void> {
  recorder.pass('start', 'f0');
  const element = recorder.enter('m1');
  const subscription = recorder.number();
  recorder.add({
    kind: 'SUBSCRIPTION_OPENED',
    subscription,
    element,
    node: 'm1',
    type: 'message',
    name: 'bench-msg',
    correlation: variables['key']!,
  });
  await commitStep();
  const { publicationID } = (await next()) as Extract<Command, { kind: 'CORRELATE_MESSAGE' }>;
  recorder.add({ kind: 'SUBSCRIPTION_CLOSED', subscription, reason: 'CONSUMED', publicationID });
  recorder.leave(element, 'f1');
  recorder.pass('end');
  recorder.end();
  await commitStep();
}

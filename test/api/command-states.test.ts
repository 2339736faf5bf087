/** Every command against every state of an instance has its documented answer. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../api/operations/index.js';
import { problemCodes, type ProblemCode } from '../../api/contract/problem.js';
import { startTestHost, type TestHost } from './operations/support/host.js';
import { answerTo, commands, states, subjectsIn, type InstanceState } from './support/command-states.js';

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.close());

/** The answers to one command. A pause is the same whatever pauses, an end whichever it is, and a missing object is like one of another project. */
interface Row {
  running: string;
  /** As while it runs, by default. */
  openIncident?: string;
  paused: string;
  ended: string;
  /** `404 NOT_FOUND` by default. */
  missing?: string;
}

const table: { [command: string]: Row } = {
  CancelBpmnInstance: { running: '204', paused: '204', ended: '409 INSTANCE_ENDED' },
  RestartBpmnInstance: { running: '409 CONFLICT', paused: '409 CONFLICT', ended: '201' },
  RedactBpmnVariables: { running: '409 CONFLICT', paused: '409 CONFLICT', ended: '204' },
  EraseBpmnInstance: { running: '409 CONFLICT', paused: '409 CONFLICT', ended: '204' },
  UpdateBpmnInstanceVariables: { running: '200', paused: '200', ended: '409 INSTANCE_ENDED' },
  // An instance that runs without an incident has none to resolve.
  ResolveBpmnIncident: { running: '404 NOT_FOUND', openIncident: '200', paused: '200', ended: '409 CONFLICT' },
  SuspendBpmnInstance: { running: '204', paused: '204', ended: '409 INSTANCE_ENDED' },
  ResumeBpmnInstance: { running: '204', paused: '204', ended: '409 INSTANCE_ENDED' },
  ModifyBpmnInstance: { running: '200', paused: '200', ended: '409 INSTANCE_ENDED' },
  MigrateBpmnInstance: { running: '200', paused: '200', ended: '409 INSTANCE_ENDED' },
  ValidateBpmnInstanceMigration: { running: '200', paused: '200', ended: '409 INSTANCE_ENDED' },
  TriggerBpmnAdHocNode: { running: '200', paused: '409 SUSPENDED', ended: '409 INSTANCE_ENDED' },
  EvaluateBpmnExpression: { running: '200', paused: '200', ended: '200' },
  UpdateBpmnInstanceTimer: { running: '200', paused: '200', ended: '409 CONFLICT' },
  FireBpmnInstanceTimer: { running: '204', paused: '204', ended: '409 CONFLICT' },
  SetBpmnAdHocVariables: { running: '200', paused: '200', ended: '409 INSTANCE_ENDED' },
  'CompleteBpmnExternalJob: with the lease': { running: '200', paused: '202', ended: '409 CONFLICT' },
  'CompleteBpmnExternalJob: without': { running: '200', paused: '409 SUSPENDED', ended: '409 CONFLICT' },
  'ThrowBpmnExternalJobError: with the lease': { running: '200', paused: '202', ended: '409 CONFLICT' },
  'ThrowBpmnExternalJobError: without': { running: '200', paused: '409 SUSPENDED', ended: '409 CONFLICT' },
  UpdateBpmnExternalJob: { running: '200', paused: '200', ended: '409 CONFLICT' },
  HeartbeatBpmnExternalJob: { running: '200', paused: '200', ended: '404 NOT_FOUND' },
  // A command that is written and waits for the resume counts as done.
  'CompleteBpmnExternalJobsBatch: with the lease': {
    running: '200 completed',
    paused: '200 completed',
    ended: '200 error CONFLICT',
    missing: '200 error NOT_FOUND',
  },
  'CompleteBpmnExternalJobsBatch: without': {
    running: '200 completed',
    paused: '200 error SUSPENDED',
    ended: '200 error CONFLICT',
    missing: '200 error NOT_FOUND',
  },
  'ThrowBpmnExternalJobErrorsBatch: with the lease': {
    running: '200 failed',
    paused: '200 failed',
    ended: '200 error CONFLICT',
    missing: '200 error NOT_FOUND',
  },
  CompleteBpmnUserTask: { running: '200', paused: '409 SUSPENDED', ended: '409 CONFLICT' },
  ThrowBpmnUserTaskError: { running: '200', paused: '409 SUSPENDED', ended: '409 CONFLICT' },
  UpdateBpmnUserTaskAssignment: { running: '200', paused: '200', ended: '409 CONFLICT' },
  ClaimBpmnUserTask: { running: '200', paused: '200', ended: '409 CONFLICT' },
  UnclaimBpmnUserTask: { running: '200', paused: '200', ended: '409 CONFLICT' },
  AddBpmnUserTaskComment: { running: '201', paused: '201', ended: '409 CONFLICT' },
};

function expectedIn(
  state: InstanceState,
  { running, openIncident = running, paused, ended, missing = '404 NOT_FOUND' }: Row,
): string {
  switch (state) {
    case 'running':
      return running;
    case 'openIncident':
      return openIncident;
    case 'pausedByInstance':
    case 'pausedByDefinition':
    case 'pausedByParent':
      return paused;
    case 'completed':
    case 'failed':
    case 'canceled':
      return ended;
    case 'unknown':
    case 'otherProject':
      return missing;
  }
}

/** The callers of commands on an instance, a job, or a user task. */
const ofInstances = operations.filter(
  ({ method, path }) => method !== 'GET' && /\{workflowID\}|\{executionKey\}|external-jobs\/batch/.test(path),
);
const operationOf = (name: string) => name.split(':')[0]!;

describe('the table of commands and states', () => {
  it('has a row for every operation that asks something of an instance', () => {
    expect([...new Set(commands.map(({ name }) => operationOf(name)))].sort()).toEqual(
      ofInstances.map(({ operationID }) => operationID).sort(),
    );
    expect(Object.keys(table).sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  it('holds documented answers only', () => {
    for (const [name, row] of Object.entries(table)) {
      const { responses, problems } = ofInstances.find(({ operationID }) => operationID === operationOf(name))!;
      for (const answer of states.map((state) => expectedIn(state, row))) {
        const [status, code] = answer.split(' ');
        const documented =
          Number(status) < 400
            ? status! in responses
            : code === 'NOT_FOUND' || (problems as readonly string[]).includes(code!);
        expect({ name, answer, documented }).toEqual({ name, answer, documented: true });
        if (Number(status) >= 400) expect(problemCodes[code as ProblemCode].status).toBe(Number(status));
      }
    }
  });
});

describe.each(states.map((state) => ({ state })))('in the state $state', ({ state }) => {
  it('every command has the documented response in every state of an instance', async () => {
    const subjects = await subjectsIn(state, host, commands.length);
    const found: Record<string, string> = {};
    for (const [index, command] of commands.entries())
      found[command.name] = await answerTo(command, host, subjects[index]!);
    expect(found).toEqual(
      Object.fromEntries(Object.entries(table).map(([name, row]) => [name, expectedIn(state, row)])),
    );
  }, 120_000);
});

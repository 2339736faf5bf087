/** The time filters of every list, and of what else takes them, with the times that rows show. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sequenceModel, serviceTask, userTask } from '@perdure/testkit/models';
import { operations } from '../../../api/operations/index.js';
import { decision, dmn, literal } from '../../dmn/support.js';
import { eventually } from '../../support/eventually.js';
import { project, startTestHost, type TestHost } from './support/host.js';
import { deploy, jobOf, start, untilStatus } from './support/steps.js';

interface Made {
  definitionID: string;
  workflowID: string;
  decisionID: string;
}

type Row = Record<string, unknown>;

/** Where a list gets its rows, and which member of a row each time filter is about. */
interface TimedList {
  readonly parameters?: (made: Made) => Record<string, string>;
  readonly times: Readonly<Record<string, (row: Row) => unknown>>;
}

const member = (name: string) => (row: Row) => row[name];
const created = { createdAfter: member('createdAt'), createdBefore: member('createdAt') };
const ended = { completedAfter: member('completedAt'), completedBefore: member('completedAt') };
const dated = {
  dueAfter: member('dueDate'),
  dueBefore: member('dueDate'),
  followUpBefore: member('followUpDate'),
};
const raised = { since: member('raisedAt'), until: member('raisedAt') };
const never = () => undefined;
const ofTasks = { times: { ...created, ...ended, ...dated } };

let host: TestHost;
let made: Made;
let newestVersion: Row;

const lists: Readonly<Record<string, TimedList>> = {
  ListAuditEntries: { times: { since: member('time'), until: member('time') } },
  ListBpmnBatches: { times: created },
  ListBpmnExternalJobs: { times: { ...created, ...ended } },
  ListBpmnIncidents: { times: raised },
  ListBpmnIncidentGroups: { times: { since: member('lastRaisedAt'), until: member('lastRaisedAt') } },
  ListBpmnInstances: { times: { ...created, ...ended } },
  ListBpmnInstanceUserTasks: { ...ofTasks, parameters: ({ workflowID }) => ({ workflowID }) },
  // A process shows no time; it has that of its newest version.
  ListBpmnProcesses: {
    times: {
      createdAfter: ({ processID }) => (processID === 'work' ? newestVersion['createdAt'] : undefined),
    },
  },
  ListBpmnProcessVersions: { times: { createdAfter: member('createdAt') }, parameters: () => ({ processID: 'work' }) },
  ListBpmnPublications: {
    times: { publishedAfter: member('publishedAt'), publishedBefore: member('publishedAt') },
  },
  ListBpmnUserTasks: ofTasks,
  // Open tasks have no end, so these filters leave out all of them.
  ListBpmnUserTasksForCaller: { times: { ...created, ...dated, completedAfter: never, completedBefore: never } },
  ListExecutions: {
    times: { startDate: member('executedAt') },
    parameters: ({ decisionID }) => ({ definitionID: decisionID }),
  },
};

const columns = {
  audit_entries: ['recorded_at'],
  batches: ['created_at'],
  decision_executions: ['executed_at'],
  definitions: ['created_at'],
  incidents: ['raised_at'],
  instances: ['created_at', 'completed_at'],
  jobs: ['created_at', 'completed_at'],
  publications: ['published_at'],
  user_tasks: ['created_at', 'completed_at', 'due_date', 'follow_up_date'],
};

const NOW = new Date().toISOString();

/** Lists whose filters are those of another list, by declaration. */
const SAME_AS: Readonly<Record<string, string>> = { ListOrganizationAuditEntries: 'ListAuditEntries' };

const withTimes = operations.flatMap(({ operationID, path, list }) => {
  if (SAME_AS[operationID] !== undefined) return [];
  const names = (list?.filters ?? []).filter(({ kind }) => kind === 'time').map(({ name }) => name);
  return names.length === 0 ? [] : [{ operationID, path, names }];
});

beforeAll(async () => {
  host = await startTestHost();
  made = await makeRows();
  // Values of `now()` have microseconds, which no response shows: here each value surely has some.
  for (const [table, names] of Object.entries(columns))
    for (const name of names)
      await host.store.query(
        `UPDATE ${table} SET ${name} = date_trunc('milliseconds', ${name}) + interval '456 microseconds'`,
      );
  newestVersion = (await rowsOf('/bpmn/processes/work/versions'))[0]!;
});
afterAll(() => host.close());

const send = async (method: string, path: string, json: unknown) => {
  const answer = await host.call('admin', method, path, { json });
  expect([200, 201, 202, 204], `${method} ${path}: ${JSON.stringify(answer.body)}`).toContain(answer.status);
  return answer.body;
};

/** At least one row for each list. */
async function makeRows(): Promise<Made> {
  const definitionID = await deploy(host, sequenceModel('work', [userTask('approve'), serviceTask('job')]));
  const workflowID = await start(host, definitionID);
  const tasks = () => rowsOf(`/bpmn/instances/${workflowID}/user-tasks`);
  const key = String((await eventually(tasks, ({ length }) => length === 1))[0]!['executionKey']);
  const dates = { assignee: 'admin', dueDate: '2027-03-04T05:06:07.008Z', followUpDate: '2027-01-02T03:04:05.006Z' };
  await send('PATCH', `/bpmn/user-tasks/${key}`, dates);
  const open = await start(host, await deploy(host, sequenceModel('mine', [userTask('decide')])));
  const mine = () => rowsOf(`/bpmn/instances/${open}/user-tasks`);
  const [task] = await eventually(mine, ({ length }) => length === 1);
  await send('PATCH', `/bpmn/user-tasks/${String(task!['executionKey'])}`, dates);
  await send('POST', `/bpmn/user-tasks/${key}/complete`, {});
  const job = (
    await eventually(
      () => rowsOf('/bpmn/external-jobs'),
      ({ length }) => length === 1,
    )
  )[0]!;
  await send('POST', `/bpmn/external-jobs/${String(job['executionKey'])}/complete`, { workflowID });
  await untilStatus(host, workflowID, 'COMPLETED');

  const failing = await start(host, await deploy(host, sequenceModel('failing', [serviceTask('fail')])));
  const failed = await jobOf(host, failing);
  const error = { errorCode: 'E', retryable: false };
  await send('POST', `/bpmn/external-jobs/${failed.executionKey}/error`, error);
  await eventually(
    () => rowsOf('/bpmn/incidents'),
    ({ length }) => length === 1,
  );
  await send('POST', '/bpmn/messages', { messageName: 'kept' });
  await send('POST', '/bpmn/batches', { operation: 'CANCEL', workflowIDs: ['none', 'nowhere'], itemsPerSecond: 1 });
  const { id: decisionID } = await send('POST', '/dmn/definitions', {
    name: 'd',
    xml: dmn(decision('d', literal('1'))),
  });
  await send('POST', `/dmn/definitions/${decisionID}/evaluate`, { context: {} });
  return { definitionID, workflowID, decisionID };
}

async function rowsOf(path: string, filter: Record<string, string> = {}): Promise<Row[]> {
  const query = new URLSearchParams({ pageSize: '100', ...filter }).toString();
  const { status, body } = await host.call('admin', 'GET', `${path}?${query}`);
  expect(status, `${path}?${query}`).toBe(200);
  return body.data;
}

function pathOf(template: string, parameters: Record<string, string>): string {
  const path = template.replace('/projects/{projectID}', '');
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameters[name]!);
}

const moved = (time: string, milliseconds: number) => new Date(Date.parse(time) + milliseconds).toISOString();

/** A value of the filter with which it finds a row of this time, and the value next to it, with which it does not. */
function edgeOf(name: string, time: string): { finds: string; misses: string } {
  if (name.endsWith('After')) return { finds: moved(time, -1), misses: time };
  if (name.endsWith('Before') || name === 'until') return { finds: time, misses: moved(time, -1) };
  return { finds: time, misses: moved(time, 1) };
}

it('the table of this test has every list with time filters', () => {
  const known = Object.entries(lists).map(([operationID, { times }]) => [operationID, Object.keys(times).toSorted()]);
  const declared = withTimes.map(({ operationID, names }) => [operationID, names.toSorted()]);
  expect(known.toSorted()).toEqual(declared.toSorted());
});

describe.each(withTimes)('the time filters of $operationID', ({ operationID, path, names }) => {
  it.each(names)('%s: compares in milliseconds, as rows show times', async (name) => {
    const { parameters, times } = lists[operationID]!;
    const list = pathOf(path, parameters?.(made) ?? {});
    if (times[name] === never) {
      expect(await rowsOf(list, { [name]: NOW })).toEqual([]);
      return;
    }
    const row = (await rowsOf(list)).find((one) => times[name]!(one) !== undefined);
    expect(row, `${list} has a row with a time for ${name}`).toBeDefined();
    const { finds, misses } = edgeOf(name, String(times[name]!(row!)));
    expect(await rowsOf(list, { [name]: finds }), `${name}=${finds}`).toContainEqual(row);
    expect(await rowsOf(list, { [name]: misses }), `${name}=${misses}`).not.toContainEqual(row);
  });
});

describe.each(['createdAfter', 'createdBefore'])('%s', (name) => {
  const instanceAndEdge = async () => {
    const instance = (await rowsOf('/bpmn/instances')).find(({ workflowID }) => workflowID === made.workflowID)!;
    return edgeOf(name, String(instance['createdAt']));
  };

  it('of a search compares in milliseconds', async () => {
    const { finds, misses } = await instanceAndEdge();
    const found = async (time: string) => {
      const json = { definitionID: made.definitionID, predicate: 'true', [name]: time };
      return (await send('POST', '/bpmn/instances/search', json)).matches.length;
    };
    expect([await found(finds), await found(misses)]).toEqual([1, 0]);
  });

  it('of a batch compares in milliseconds', async () => {
    const { finds, misses } = await instanceAndEdge();
    const chosen = async (time: string) => {
      const filter = { definitionID: made.definitionID, [name]: time };
      return (await send('POST', '/bpmn/batches', { operation: 'CANCEL', filter, dryRun: true })).total;
    };
    expect([await chosen(finds), await chosen(misses)]).toEqual([1, 0]);
  });
});

it('createdAfter of the queue depth compares in milliseconds', async () => {
  const definitionID = await deploy(host, sequenceModel('opened', [serviceTask('open')]));
  const { executionKey, createdAt } = await jobOf(host, await start(host, definitionID));
  await host.store.query(
    `UPDATE jobs SET created_at = created_at + interval '456 microseconds' WHERE project_id = $1 AND task_type = 'open'`,
    [project],
  );
  const depth = async (createdAfter: string) => {
    const { body } = await host.call('viewer', 'GET', `/bpmn/external-jobs/queue-depth?createdAfter=${createdAfter}`);
    return body.items.filter(({ taskType }: { taskType: string }) => taskType === 'open').length;
  };
  const { finds, misses } = edgeOf('createdAfter', createdAt);
  expect([await depth(finds), await depth(misses)], executionKey).toEqual([1, 0]);
});

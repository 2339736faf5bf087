/** How long the first page of each list takes, with its total, by each filter in each order that clients offer with it. */
import { fastOrders, lists } from '@perdure/client';
import { listInstances, type InstanceSort } from '../../store/instances/lists.js';
import type { InstanceFilter } from '../../store/instances/filters.js';
import type { Database } from '../../store/sql/database.js';
import type { Page } from '../../store/sql/page.js';
import type { IncidentFilter } from '../../store/work/incidents/filters.js';
import { listIncidents, type IncidentSort } from '../../store/work/incidents/lists.js';
import { listJobs, type JobFilter, type JobSort } from '../../store/work/job-lists.js';
import { listUserTasks, type UserTaskFilter, type UserTaskSort } from '../../store/work/user-tasks/lists.js';
import { median, rounded } from '../statistics.js';
import { withDatabase } from './dedicated-database.js';
import { PROJECT, seedLists, valuesOf, type SeededValues } from './list-rows.js';

export interface ListFigure {
  list: string;
  filter: Readonly<Record<string, unknown>>;
  sort: string;
  order: string;
  /** More than 10,000: an estimate. */
  total: number;
  ms: number;
}

const READS = 3;
/** Read once. */
const SLOW_MS = 1000;
const request = { page: 1, pageSize: 20 };

/** @param count rows of each list, written by SQL */
export async function measureLists(count: number): Promise<ListFigure[]> {
  return withDatabase('lists', async (database) => {
    await seedLists(database, count);
    const values = valuesOf(count);
    return [
      ...(await measureInstances(database, values)),
      ...(await measureJobs(database, values)),
      ...(await measureIncidents(database, values)),
      ...(await measureUserTasks(database, values)),
    ];
  });
}

/** Markdown: how many are fast, and those that are not. */
export function listTable(figures: readonly ListFigure[]): string {
  const names = [...new Set(figures.map(({ list }) => list))];
  const rows = names.map((name) => {
    const own = figures.filter(({ list }) => list === name);
    const within = (most: number) => own.filter(({ ms }) => ms <= most).length;
    return `| ${[name, own.length, within(20), within(100), median(own.map(({ ms }) => ms))].join(' | ')} |`;
  });
  const slow = figures
    .filter(({ ms }) => ms > 100)
    .toSorted((left, right) => right.ms - left.ms)
    .map((one) => `| ${one.list} | ${describe(one)} | ${one.total} | ${one.ms} |`);
  return [
    '| list | filters and orders | at most 20 ms | at most 100 ms | median, ms |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '| list | filter, order | total | ms |',
    '|---|---|---|---|',
    ...slow,
    '',
  ].join('\n');
}

function describe({ filter, sort, order }: ListFigure): string {
  const given = Object.entries(filter).map(([name, value]) => `${name}=${String(value)}`);
  return `${given.join(', ') || 'none'}; ${sort} ${order}`;
}

function measureInstances(database: Database, values: SeededValues) {
  const filters: InstanceFilter[] = [
    {},
    { definitionID: values.rareDefinition },
    { processId: 'p1' },
    { status: ['RUNNING'] },
    { status: ['FAILED'] },
    { hasIncident: true },
    { suspended: true },
    { suspended: false },
    { workflowIDPrefix: values.instance.slice(0, 8) },
    { businessId: values.businessId },
    { businessIdPrefix: values.businessId.slice(0, 8) },
    { failureReasonContains: 'host 100' },
    { startedBy: 'user-7' },
    { root: true },
    { root: false },
    { activeNodeID: 'node-7' },
    { parentWorkflowID: values.instance },
    { restartedFrom: values.instance },
    { overTarget: true },
    ...values.times,
  ];
  return measureAll<InstanceFilter, InstanceSort>('instances', filters, lists.ListBpmnInstances, (filter, order) =>
    listInstances(database, PROJECT, filter, { ...request, ...order }),
  );
}

function measureJobs(database: Database, values: SeededValues) {
  const filters: JobFilter[] = [
    {},
    { taskType: ['type-7'] },
    { status: ['PENDING'] },
    { status: ['FAILED'] },
    { workflowID: values.instance },
    { businessId: values.businessId },
    { definitionID: values.rareDefinition },
    { processId: 'p1' },
    { nodeID: 'node-7' },
    { lockedBy: 'rare' },
    { lockedBy: 'rare', status: ['PENDING'] },
    { lockedBy: 'rare', ...values.oneDay },
    { errorCode: 'E7' },
    ...values.times,
  ];
  return measureAll<JobFilter, JobSort>('jobs', filters, lists.ListBpmnExternalJobs, (filter, order) =>
    listJobs(database, PROJECT, filter, { ...request, ...order }),
  );
}

function measureIncidents(database: Database, values: SeededValues) {
  const filters: IncidentFilter[] = [
    {},
    { definitionID: values.rareDefinition },
    { processId: 'p1' },
    { workflowID: values.instance },
    { workflowID: values.instance, includeChildren: true },
    { status: 'open' },
    { status: 'resolved' },
    { nodeID: 'node-7' },
    { errorType: ['BpmnError'] },
    { errorCode: 'E7' },
    { messageContains: 'host 100' },
    ...values.raised,
  ];
  return measureAll<IncidentFilter, IncidentSort>('incidents', filters, lists.ListBpmnIncidents, (filter, order) =>
    listIncidents(database, PROJECT, filter, { ...request, ...order }),
  );
}

function measureUserTasks(database: Database, values: SeededValues) {
  const filters: UserTaskFilter[] = [
    {},
    { status: ['CREATED'] },
    { status: ['COMPLETED'] },
    { workflowID: values.instance },
    { businessId: values.businessId },
    { definitionID: values.rareDefinition },
    { processId: 'p1' },
    { processId: 'p1', status: ['CREATED'] },
    { nodeID: 'node-7' },
    { nodeID: 'node-7', status: ['CREATED'] },
    { unassigned: true },
    { unassigned: true, status: ['CREATED'] },
    { assignee: 'user-7' },
    { candidateUser: 'user-7' },
    { candidateGroup: 'group-7' },
    ...values.times,
    ...values.due,
  ];
  return measureAll<UserTaskFilter, UserTaskSort>('user tasks', filters, lists.ListBpmnUserTasks, (filter, order) =>
    listUserTasks(database, PROJECT, filter, { ...request, ...order }),
  );
}

type Sortable<Sort extends string> = Parameters<typeof fastOrders<Sort>>[0];
type Order<Sort extends string> = ReturnType<typeof fastOrders<Sort>>[number];

async function measureAll<Filter extends Readonly<Record<string, unknown>>, Sort extends string>(
  list: string,
  filters: readonly Filter[],
  sortable: Sortable<Sort>,
  read: (filter: Filter, order: Order<Sort>) => Promise<Page<unknown>>,
): Promise<ListFigure[]> {
  const figures: ListFigure[] = [];
  for (const filter of filters)
    for (const order of fastOrders<Sort>(sortable, filter)) {
      const times: number[] = [];
      let total = 0;
      for (let count = 0; count < READS && !(times[0]! > SLOW_MS); count += 1) {
        const begin = performance.now();
        ({ total } = await read(filter, order));
        times.push(performance.now() - begin);
      }
      figures.push({ list, filter, ...order, total, ms: rounded(median(times)) });
    }
  return figures;
}

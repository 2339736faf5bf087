/** Lists against plain JavaScript over the same rows: each filter alone, and random combinations. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { FilterValues, ListFilters } from '../../store/lists/filters.js';
import type { SortedPageRequest } from '../../store/lists/list.js';
import type { instanceFilters } from '../../store/instances/filters.js';
import { instanceSorts, listInstances, streamInstances } from '../../store/instances/lists.js';
import type { incidentFilters } from '../../store/work/incidents/filters.js';
import { incidentSorts, listIncidents, streamIncidents } from '../../store/work/incidents/lists.js';
import type { jobFilters } from '../../store/work/job-lists.js';
import { jobSorts, listJobs, streamJobs } from '../../store/work/job-lists.js';
import { executionKey } from '../../store/sql/ids.js';
import type { Order, Page } from '../../store/sql/page.js';
import { projectID, useStore } from './support/store.js';
import { randomFrom, target, writeListRows, type ListRows } from './support/list-oracle.js';
import type { IncidentRow, InstanceRow, JobRow } from './support/list-oracle.js';

const store = useStore();
let written: ListRows;

beforeAll(async () => {
  written = await writeListRows(store, 20, 120);
});

type Compare<Row> = (a: Row, b: Row) => number;

/** A list with its name and its expected plan. */
interface Oracle<Row, Filters extends ListFilters> {
  rows(): Row[];
  key(row: Row): string;
  /** Values to filter by, some of which match nothing, with the test of a row. */
  cases(): { [Name in keyof Filters]: Case<Row, FilterValues<Filters>, Name> };
  sorts: Record<
    string,
    { value(row: Row): Date | string | number | null; ties: (order: Order, isMissing: boolean) => Compare<Row> }
  >;
  page(filter: FilterValues<Filters>, page: SortedPageRequest<never>): Promise<Page<unknown>>;
  stream(filter: FilterValues<Filters>, order: Order): AsyncGenerator<unknown>;
  keyOf(item: never): string;
}

interface Case<Row, Values, Name extends keyof Values> {
  values: NonNullable<Values[Name]>[];
  matches(row: Row, value: NonNullable<Values[Name]>, all: Values): boolean;
}

const byText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const reversed =
  <Row>(compare: Compare<Row>): Compare<Row> =>
  (a, b) =>
    compare(b, a);
const inOrder = <Row>(order: Order, compare: Compare<Row>) => (order === 'asc' ? compare : reversed(compare));
const contains = (text: string | null, part: string) =>
  text !== null && text.toLowerCase().includes(part.toLowerCase());

const times = (...minutes: number[]) =>
  minutes.map((minute) => new Date(Date.parse('2026-01-01T00:00:00Z') + minute * 1000).toISOString());
const after = (date: Date | null, time: string) => date !== null && date.getTime() > Date.parse(time);
const notAfter = (date: Date | null, time: string) => date !== null && date.getTime() <= Date.parse(time);
const someTimes = times(-1, 0, 3, 20, 60, 200, 10_000);

const byNumber = (order: Order): Compare<InstanceRow> => inOrder(order, (a, b) => a.number - b.number);

const isPaused = (row: InstanceRow) =>
  row.status === 'RUNNING' &&
  (row.isSuspended ||
    row.isSuspendedAbove ||
    [...row.ancestorDefinitions, row.definitionID].includes(written.suspendedDefinition));

const isOverTarget = ({ processId, createdAt, completedAt }: InstanceRow) =>
  processId === target.processId &&
  createdAt >= target.since &&
  createdAt < target.until &&
  (completedAt ?? new Date()).getTime() - createdAt.getTime() > target.durationMs;

const definitionIDs = () => [
  ...new Set(written.instances.map(({ definitionID }) => definitionID)),
  written.instances[0]!.definitionID,
];
const someInstances = () => [...written.instances.slice(0, 5).map(({ workflowID }) => workflowID), 'nothing'];

const instances: Oracle<InstanceRow, typeof instanceFilters> = {
  rows: () => written.instances,
  key: ({ workflowID }) => workflowID,
  cases: () => ({
    definitionID: { values: definitionIDs(), matches: (row, id) => row.definitionID === id },
    processId: { values: ['order', 'invoice', 'none'], matches: (row, id) => row.processId === id },
    status: {
      values: [['RUNNING'], ['COMPLETED'], ['FAILED', 'CANCELED'], ['RUNNING', 'FAILED'], ['COMPLETED', 'COMPLETED']],
      matches: (row, some) => some.includes(row.status),
    },
    hasIncident: { values: [true, false], matches: (row, has) => row.openIncidents > 0 === has },
    suspended: { values: [true, false], matches: (row, is) => isPaused(row) === is },
    createdAfter: { values: someTimes, matches: (row, time) => after(row.createdAt, time) },
    createdBefore: { values: someTimes, matches: (row, time) => notAfter(row.createdAt, time) },
    completedAfter: { values: someTimes, matches: (row, time) => after(row.completedAt, time) },
    completedBefore: { values: someTimes, matches: (row, time) => notAfter(row.completedAt, time) },
    workflowIDPrefix: {
      values: ['w-1', 'w-', 'W-1', 'w_', 'w-1%', 'none'],
      matches: (row, prefix) => row.workflowID.startsWith(prefix),
    },
    businessId: { values: ['ord-1', '', 'o%d_1', 'none'], matches: (row, id) => row.businessID === id },
    businessIdPrefix: {
      values: ['ord-1', 'o%', 'o', 'ö', 'inv\\', 'O', '_'],
      matches: (row, prefix) => row.businessID?.startsWith(prefix) === true,
    },
    failureReasonContains: {
      values: ['connection', 'HOST', '100%', 'a_b', '"orders"', 'back\\slash', 'c_n', 'none of it'],
      matches: (row, part) => contains(row.failureReason, part),
    },
    startedBy: { values: ['ann', 'Ann', 'nobody'], matches: (row, who) => row.startedBy === who },
    root: { values: [true, false], matches: (row, is) => (row.parent === null) === is },
    activeNodeID: { values: ['pack', 'pay', 'none'], matches: (row, id) => row.activeNodes?.includes(id) === true },
    parentWorkflowID: { values: someInstances(), matches: (row, id) => row.parent === id },
    importedFrom: { values: ['old', 'none'], matches: (row, system) => row.importedSystem === system },
    importedFromID: { values: ['n-0', 'n-7', 'n-1'], matches: (row, id) => row.importedID === id },
    restartedFrom: { values: ['w-1', 'w-2', 'none'], matches: (row, id) => row.restartedFrom === id },
    overTarget: { values: [true, false], matches: (row, is) => isOverTarget(row) === is },
  }),
  sorts: {
    createdAt: { value: ({ createdAt }) => createdAt, ties: byNumber },
    completedAt: { value: ({ completedAt }) => completedAt, ties: byNumber },
    businessId: { value: ({ businessID }) => businessID, ties: byNumber },
  },
  page: (filter, page) => listInstances(store.database, projectID, filter, page),
  stream: (filter, order) => streamInstances(store.database, projectID, filter, order),
  keyOf: ({ workflowID }: { workflowID: string }) => workflowID,
};

interface Numbered {
  workflowID: string;
  number: number;
}

const byCreation = (order: Order): Compare<Numbered> => {
  const numbers = inOrder<Numbered>(order, (a, b) => a.number - b.number);
  return (a, b) => byText(a.workflowID, b.workflowID) || numbers(a, b);
};

const jobs: Oracle<JobRow, typeof jobFilters> = {
  rows: () => written.jobs,
  key: ({ workflowID, number }) => executionKey(workflowID, number),
  cases: () => ({
    taskType: {
      values: [['pack'], ['pack', 'ship'], ['a,b'], ['none']],
      matches: (row, some) => some.includes(row.taskType),
    },
    status: {
      values: [['PENDING'], ['COMPLETED'], ['FAILED', 'CANCELED'], ['PENDING', 'FAILED']],
      matches: (row, some) => some.includes(row.status),
    },
    workflowID: { values: someInstances(), matches: (row, id) => row.workflowID === id },
    businessId: { values: ['ord-1', '', 'none'], matches: (row, id) => row.instance.businessID === id },
    definitionID: { values: definitionIDs(), matches: (row, id) => row.instance.definitionID === id },
    processId: { values: ['order', 'payment', 'none'], matches: (row, id) => row.instance.processId === id },
    nodeID: { values: ['pack', 'none'], matches: (row, id) => row.nodeID === id },
    lockedBy: { values: ['c1', 'c3'], matches: (row, client) => row.lockedBy === client },
    errorCode: { values: ['E1', 'e1'], matches: (row, error) => row.errorCode === error },
    createdAfter: { values: someTimes, matches: (row, time) => after(row.createdAt, time) },
    createdBefore: { values: someTimes, matches: (row, time) => notAfter(row.createdAt, time) },
    completedAfter: { values: someTimes, matches: (row, time) => after(row.completedAt, time) },
    completedBefore: { values: someTimes, matches: (row, time) => notAfter(row.completedAt, time) },
  }),
  sorts: {
    createdAt: { value: ({ createdAt }) => createdAt, ties: byCreation },
    completedAt: {
      value: ({ completedAt }) => completedAt,
      ties: (order, isMissing) =>
        isMissing
          ? (a, b) =>
              inOrder<JobRow>(order, (c, d) => c.createdAt.getTime() - d.createdAt.getTime())(a, b) ||
              byCreation(order)(a, b)
          : inOrder<JobRow>(order, (a, b) => byText(a.workflowID, b.workflowID) || a.number - b.number),
    },
    priority: {
      value: ({ priority }) => priority,
      ties: (order) => inOrder<JobRow>(order, (a, b) => byText(a.workflowID, b.workflowID) || a.number - b.number),
    },
  },
  page: (filter, page) => listJobs(store.database, projectID, filter, page),
  stream: (filter, order) => streamJobs(store.database, projectID, filter, order),
  keyOf: (item: { executionKey: string }) => item.executionKey,
};

function isWithin(workflowID: string, ancestor: string): boolean {
  if (workflowID === ancestor) return true;
  const parent = written.instances.find((row) => row.workflowID === workflowID)!.parent;
  return parent !== null && isWithin(parent, ancestor);
}

const incidents: Oracle<IncidentRow, typeof incidentFilters> = {
  rows: () => written.incidents,
  key: ({ workflowID, number }) => executionKey(workflowID, number),
  cases: () => ({
    definitionID: { values: definitionIDs(), matches: (row, id) => row.instance.definitionID === id },
    processId: { values: ['order', 'payment', 'none'], matches: (row, id) => row.instance.processId === id },
    workflowID: {
      values: someInstances(),
      matches: (row, id, { includeChildren }) =>
        includeChildren ? isWithin(row.workflowID, id) : row.workflowID === id,
    },
    includeChildren: { values: [true, false], matches: () => true },
    status: { values: ['open', 'resolved'], matches: (row, status) => (row.status === 'OPEN') === (status === 'open') },
    nodeID: { values: ['pack', 'none'], matches: (row, id) => row.nodeID === id },
    errorType: {
      values: [['BpmnError'], ['FeelError', 'Unknown'], ['EngineError']],
      matches: (row, some) => some.includes(row.errorType),
    },
    errorCode: { values: ['E1', 'e1'], matches: (row, error) => row.errorCode === error },
    messageContains: {
      values: ['connection', 'HOST', '100%', 'a_b', '"amount"', 'back\\slash', 'none of it'],
      matches: (row, part) => contains(row.message, part),
    },
    groupID: { values: ['0'.repeat(32)], matches: () => false },
    since: { values: someTimes, matches: (row, time) => row.raisedAt.getTime() >= Date.parse(time) },
    until: { values: someTimes, matches: (row, time) => notAfter(row.raisedAt, time) },
  }),
  sorts: { raisedAt: { value: ({ raisedAt }) => raisedAt, ties: byCreation } },
  page: (filter, page) => listIncidents(store.database, projectID, filter, page),
  stream: (filter, order) => streamIncidents(store.database, projectID, filter, order),
  keyOf: ({ incidentID }: { incidentID: string }) => incidentID,
};

type AnyOracle = Oracle<never, ListFilters> &
  Record<'cases', () => Record<string, Case<never, Record<string, unknown>, string>>>;

/** Keys in the order of the list. */
function expected(oracle: AnyOracle, filter: Record<string, unknown>, sort: string, order: Order): string[] {
  const cases = oracle.cases();
  const matching = oracle
    .rows()
    .filter((row) =>
      Object.entries(filter).every(([name, value]) => cases[name]!.matches(row, value as never, filter as never)),
    );
  const { value, ties } = oracle.sorts[sort]!;
  const compare: Compare<never> = (a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return left === right ? ties(order, true)(a, b) : left === null ? 1 : -1;
    const difference = typeof left === 'string' ? byText(left, right as string) : Number(left) - Number(right);
    return (order === 'asc' ? difference : -difference) || ties(order, false)(a, b);
  };
  return matching.toSorted(compare).map((row) => oracle.key(row));
}

async function allPages(oracle: AnyOracle, filter: object, sort: string, order: Order, pageSize: number) {
  const keys: string[] = [];
  for (let page = 1; ; page += 1) {
    const { data, total } = await oracle.page(filter as never, { page, pageSize, sort: sort as never, order });
    keys.push(...data.map((item) => oracle.keyOf(item as never)));
    if (data.length < pageSize) {
      expect(total, JSON.stringify({ filter, sort, order })).toBe(keys.length);
      return keys;
    }
  }
}

async function streamed(oracle: AnyOracle, filter: object, order: Order) {
  const keys: string[] = [];
  for await (const item of oracle.stream(filter as never, order)) keys.push(oracle.keyOf(item as never));
  return keys;
}

describe.each([
  ['instances', instances, instanceSorts],
  ['jobs', jobs, jobSorts],
  ['incidents', incidents, incidentSorts],
] as const)('the list of %s', (_name, given, sorts) => {
  const oracle = given as unknown as AnyOracle;

  it('finds what plain JavaScript finds, by each filter alone', async () => {
    for (const [name, { values }] of Object.entries(oracle.cases()))
      for (const value of values) {
        const keys = expected(oracle, { [name]: value }, sorts[0], 'desc');
        expect(await allPages(oracle, { [name]: value }, sorts[0], 'desc', 100), `${name}=${value}`).toEqual(keys);
        expect((await streamed(oracle, { [name]: value }, 'asc')).toSorted(), `${name}=${value}`).toEqual(
          keys.toSorted(),
        );
      }
  });

  it('finds it by random combinations of filters, in every order', async () => {
    const random = randomFrom(22);
    for (let round = 0; round < 30; round += 1) {
      const names = Object.keys(oracle.cases()).filter(() => random.chance(0.15));
      const filter = Object.fromEntries(names.map((name) => [name, random.pick(oracle.cases()[name]!.values)]));
      const [sort, order] = [random.pick<string>(sorts), random.pick<Order>(['asc', 'desc'])];
      const keys = await allPages(oracle, filter, sort, order, random.pick([3, 20, 100]));
      expect(keys, JSON.stringify({ filter, sort, order })).toEqual(expected(oracle, filter, sort, order));
    }
  });

  it('neither repeats nor skips rows with equal values on consecutive pages', async () => {
    for (const sort of sorts)
      for (const order of ['asc', 'desc'] as const) {
        const keys = await allPages(oracle, {}, sort, order, 7);
        expect(keys, `${sort} ${order}`).toEqual(expected(oracle, {}, sort, order));
      }
  });
});

/**
 * Every text of the schema has a door: what writes it. Doors take the longest and the strangest texts, and no indexed
 * column holds more than an index row has room for. A new column without a door fails here.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { perform } from '@perdure/dmn/work.js';
import { endEvent, processModel, serviceTask, startEvent } from '@perdure/testkit/models';
import { identifier } from '../../api/contract/schemas.js';
import { writeEntry } from '../../store/audit/entries.js';
import { createBatch } from '../../store/batches/create.js';
import { recordExecution } from '../../store/decisions/executed.js';
import { createDefinition } from '../../store/decisions/change-definitions.js';
import { createResource, updateResource } from '../../store/definitions/resources.js';
import { createHook } from '../../store/hooks/hooks.js';
import { recordDelivery } from '../../store/hooks/deliveries.js';
import { cancelInstance } from '../../store/instances/cancellation.js';
import { startInstance } from '../../store/instances/start.js';
import { dropExpired } from './support/expired.js';
import { everywhere, others, written as writers, type Other } from './support/text-writers.js';
import { channelsToMatch, matchChannel } from '../../store/messages/matching.js';
import { publish } from '../../store/messages/messages.js';
import { idempotencyStore } from '../../store/projects/idempotency.js';
import { rows } from '../../store/sql/database.js';
import { suspendDefinition } from '../../store/suspension/definitions.js';
import { suspendDefinitionAt } from '../../store/suspension/scheduled.js';
import { suspendInstance } from '../../store/suspension/suspension.js';
import { claimUserTask, unclaimUserTask, updateUserTask } from '../../store/work/user-tasks/assignment.js';
import { addUserTaskComment } from '../../store/work/user-tasks/comments.js';
import { completeJob, throwJobError } from '../../store/work/job-ends.js';
import { pollJobs } from '../../store/work/job-queue.js';
import { putLimit } from '../../store/work/limits/limits.js';
import { decision, dmn, literal } from '../dmn/support.js';
import { began, commitStep, deploy, projectID, start, submit, useStore } from './support/store.js';
import { deployControlled } from './support/controlled.js';
import { factsWithText } from './support/facts-with-text.js';

const store = useStore();

/** Characters that text columns refuse or that take more room than they seem to, and a megabyte that does not compress. */
const texts: Readonly<Record<string, string>> = {
  'a megabyte': randomBytes(768 * 1024).toString('base64'),
  'NUL and half surrogates': 'a\u0000b\ud800c\udc00'.repeat(60),
  emoji: '👩🏽‍🚀'.repeat(200),
  'right-to-left letters': '\u202eשלום \u0645\u0631\u062d\u0628\u0627 '.repeat(60),
  'combining marks': 'e\u0301\u0327\u0323'.repeat(500),
};

/** The facts of the door "step" have their text a hundred times: ten times as much as the engine writes in a step. */
const MAX_OF_STEP = 128 * 1024;

/** Longest text of an indexed column, in bytes: 500 UTF-16 units. Three of them fit into an index row with room to spare. */
const MAX_INDEXED_BYTES = 1_500;

const audit = (text: string) =>
  ({
    actor: text,
    actorType: 'PERSON',
    via: 'REST',
    operation: 'Cancel',
    reason: text,
    names: [text],
    batchID: text,
  }) as const;

const doors = {
  async step(text: string) {
    const { definitionID } = await deploy(store);
    const workflowID = await start(store, { definitionID });
    await submit(store, workflowID, { kind: 'SET_VARIABLES', variables: { [text]: text } }, true);
    const { first, second } = factsWithText(text, workflowID, definitionID);
    const variables = { [text]: text };
    const more = { variables, activeNodes: ['task'], snapshot: { [text]: text } as never };
    expect(await commitStep(store, workflowID, 1, first, more)).toEqual({ kind: 'accepted' });
    for (const channel of await channelsToMatch(store.database, 100)) await matchChannel(store.database, channel, true);
    const outcomes = [
      { number: 1, status: 'REJECTED' as const, code: 'BAD_REQUEST' as const, message: text, issues: [text] },
    ];
    const inputs = { now: 2_000_000, lastCommand: 1, defect: { message: text } };
    expect(await commitStep(store, workflowID, 2, second, { inputs, outcomes })).toEqual({ kind: 'accepted' });
  },
  async start(text: string) {
    const { definitionID } = await deploy(store);
    const request = { projectID, definitionID, workflowID: randomUUID(), variables: { [text]: text } };
    const given = { businessID: text, startedBy: text, restartedFrom: text, audit: audit(text) };
    expect(await startInstance(store.database, { ...request, ...given })).toMatchObject({ kind: 'started' });
  },
  async uniqueStart(text: string) {
    const { definitionID } = await deployControlled(store, { uniqueBusinessID: 'RUNNING' });
    const request = { projectID, definitionID, workflowID: randomUUID(), variables: {} };
    expect(await startInstance(store.database, { ...request, businessID: text })).toMatchObject({ kind: 'started' });
  },
  async job(text: string) {
    const workflowID = await start(store);
    const job = { kind: 'JOB_CREATED', job: 3, element: 1, node: 'task', taskType: text, retries: 3 } as const;
    await commitStep(store, workflowID, 1, [...began, job, { ...job, job: 4 }]);
    const key = { projectID, workflowID, clientID: text, awaited: false, actor: text };
    const asked = { types: [{ taskType: text, lockDurationMilliseconds: 60_000 }], maxJobs: 100 };
    await pollJobs(store.database, { projectID, clientID: text, ...asked });
    const error = { errorCode: text, errorMessage: text, retryable: true };
    expect(await throwJobError(store.database, { ...key, number: 3, ...error })).toMatchObject({ kind: 'requeued' });
    expect(await completeJob(store.database, { ...key, number: 4 })).toMatchObject({ kind: 'submitted' });
  },
  async limit(text: string) {
    await putLimit(store.database, { projectID, taskType: text, concurrent: 1, actor: text });
    const workflowID = await start(store);
    const job = {
      kind: 'JOB_CREATED',
      job: 3,
      element: 1,
      node: 'task',
      taskType: text,
      retries: 3,
      limitKey: text,
    } as const;
    await commitStep(store, workflowID, 1, [...began, job]);
    const types = [{ taskType: text, lockDurationMilliseconds: 1 }];
    expect(await pollJobs(store.database, { projectID, clientID: 'w', types, maxJobs: 1 })).toHaveLength(1);
  },
  async userTask(text: string) {
    const workflowID = await start(store);
    await commitStep(store, workflowID, 1, [
      ...began,
      { kind: 'USER_TASK_CREATED', task: 3, element: 1, node: 'task' },
    ]);
    const key = { projectID, workflowID, number: 3 };
    await claimUserTask(store.database, key, text);
    await unclaimUserTask(store.database, key, { actor: text, byForce: true });
    const lists = { assignee: text, candidateUsers: [text], candidateGroups: [text] };
    await updateUserTask(store.database, key, { ...lists, actor: text, reason: text });
    await addUserTaskComment(store.database, key, { author: text, text });
  },
  async message(text: string) {
    const variables = { [text]: text };
    const given = { projectID, name: text, variables, publishedBy: text };
    await publish(store.database, { ...given, type: 'message', correlation: text, ttl: 0 });
    await publish(store.database, { ...given, type: 'signal', ttl: 0 });
    await store.database.query("UPDATE publications SET expires_at = now() - interval '1 day', match_at = NULL");
    await dropExpired(store.database);
    await publish(store.database, { ...given, type: 'message', correlation: { [text]: text }, ttl: 60_000 });
  },
  async suspension(text: string) {
    const { definitionID } = await deploy(store);
    const workflowID = await start(store, { definitionID });
    const given = { projectID, actor: text, reason: text, audit: audit(text) };
    await suspendInstance(store.database, { ...given, workflowID });
    await suspendDefinitionAt(store.database, { ...given, definitionID }, new Date(Date.now() + 60_000));
    await suspendDefinition(store.database, { ...given, definitionID });
    await suspendDefinition(store.database, {
      ...given,
      definitionID: (await deploy(store)).definitionID,
      instances: false,
    });
  },
  async command(text: string) {
    const workflowID = await start(store);
    const given = { workflowID, projectID, actor: text, reason: text, awaited: false, audit: audit(text) };
    expect(await cancelInstance(store.database, given)).toMatchObject({ kind: 'submitted' });
  },
  async audit(text: string) {
    await writeEntry(store.database, projectID, { ...audit(text), executionKey: text });
  },
  async idempotencyKey(text: string) {
    const request = { projectID, operationID: 'StartInstance', subject: text, key: text, fingerprint: 'f' };
    for (const kind of ['first', 'repeated'] as const) {
      const claim = await store.database.transaction(async (transaction) => {
        const claimed = await idempotencyStore.claim(transaction, request);
        await idempotencyStore.remember(transaction, request, { status: 200, body: { text } });
        return claimed;
      });
      expect(claim.kind).toBe(kind);
    }
  },
  async draft(text: string) {
    const content = { name: text, xml: text, definitionsID: text };
    const { resourceID } = await createResource(store.database, projectID, content, text);
    await updateResource(store.database, { projectID, resourceID }, content, undefined);
  },
  async definition(text: string) {
    await deploy(store, undefined, { versionTag: text });
  },
  async decision(text: string) {
    const { content } = perform({ kind: 'compile', xml: dmn(decision('price', literal('1'))), imported: [] });
    const named = { ...content!, definitionsID: randomUUID() };
    const created = await createDefinition(store.database, projectID, { name: text, content: named, createdBy: text });
    if (!('definitionID' in created)) throw new Error(created.message);
    const { definitionID, definitionsID } = created;
    const given = { businessID: text, executedBy: text, inputs: { [text]: text }, outputs: { [text]: text } };
    await recordExecution(store.database, { projectID, definitionID, definitionsID, ...given });
  },
  async hook(text: string) {
    const expressions = { correlationKeys: text, variables: text, idempotencyKey: text, ttl: text };
    const content = { name: text, auth: { kind: text } as never, messageName: text, ...expressions, enabled: true };
    const hook = await createHook(store.database, projectID, content, text);
    if (!('hookID' in hook)) throw new Error(hook.message);
    await store.database.transaction((transaction) =>
      recordDelivery(transaction, hook, { outcome: 'FAILED', problem: text, body: text }),
    );
  },
  async batch(text: string) {
    const workflowIDs = [await start(store)];
    const input = { variables: { [text]: text } } as never;
    const given = { projectID, operation: 'CANCEL', reason: text, createdBy: text, itemsPerSecond: 1, input } as const;
    await createBatch(store.database, { ...given, targets: { kind: 'instances', workflowIDs } });
  },
};

type Door = keyof typeof doors;

/** By table; columns that mean the same in every table are in `everywhere`. */
const written: Readonly<Record<string, Readonly<Record<string, Door | Other>>>> = writers;

interface Column {
  table: string;
  column: string;
  type: string;
  /** Part of the key of a B-tree, or of a GIN index of whole values. */
  indexed: boolean;
}

/** Text inside JSON is unlimited; that inside `jsonb` is decoded by Postgres, which refuses some characters. */
const columnsOfSchema = `
  SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type, EXISTS (
    SELECT FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam,
      unnest(i.indkey::int2[], i.indclass::oid[]) AS k(attnum, opclass) JOIN pg_opclass o ON o.oid = k.opclass
    WHERE i.indrelid = c.oid AND o.opcname <> 'gin_trgm_ops' AND (k.attnum = a.attnum
      OR k.attnum = 0 AND pg_get_indexdef(i.indexrelid, 0, false) ~ ('\\m' || a.attname || '\\M') AND m.amname <> 'gin')
  ) AS indexed
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_migrations'
    AND format_type(a.atttypid, NULL) IN ('text', 'text[]', 'character varying', 'jsonb')
  ORDER BY c.relname, a.attnum`;

let columns: Column[];
beforeAll(async () => {
  // The feed is written for projects that keep it.
  await store.database.query('UPDATE projects SET event_retention_ms = 60000');
  columns = await rows<Column & Record<string, unknown>>(store.database, columnsOfSchema, []);
});

function writerOf({ table, column }: Column): Door | Other | undefined {
  return written[table]?.[column] ?? everywhere[column];
}

const nameOf = ({ table, column }: Column) => `${table}.${column}`;

/** Long keys of requests are kept as digests. */
function leastReached({ table }: Column): number {
  return table === 'idempotency_keys' ? 40 : 200;
}

/** The longest text in the column, in bytes. */
async function longestIn({ table, column, type }: Column): Promise<number> {
  const text =
    type === 'text[]' ? `(SELECT max(octet_length(t)) FROM unnest(${column}) t)` : `octet_length(${column}::text)`;
  const [found] = await rows<{ longest: number | null }>(
    store.database,
    `SELECT max(${text}) AS longest FROM ${table}`,
    [],
  );
  return found!.longest ?? 0;
}

describe('every text column', () => {
  it('has a length check, or a reason why it needs none', () => {
    const without = columns.filter((column) => writerOf(column) === undefined).map(nameOf);
    expect(without, 'Say in this file what writes these columns').toEqual([]);
    const known = new Set(columns.map(nameOf));
    const gone = Object.entries(written).flatMap(([table, names]) =>
      Object.keys(names)
        .map((column) => `${table}.${column}`)
        .filter((name) => !known.has(name)),
    );
    expect(gone, 'The schema has no such columns').toEqual([]);
  });

  it('that is indexed has a limit', () => {
    expect(columns.filter((column) => column.indexed && writerOf(column) === 'unindexed').map(nameOf)).toEqual([]);
  });
});

describe.each(Object.entries(texts))('%s', (name, text) => {
  it.each(Object.keys(doors) as Door[])('is written through the door "%s"', async (door) => {
    await doors[door](door === 'step' ? text.slice(0, MAX_OF_STEP) : text);
  });

  it('reaches every column of the doors, and leaves room in every index', async () => {
    const tooLong: string[] = [];
    const unreached: string[] = [];
    for (const column of columns) {
      const longest = await longestIn(column);
      if (column.indexed && longest > MAX_INDEXED_BYTES) tooLong.push(`${nameOf(column)}: ${longest} bytes`);
      const isDoor = !((writerOf(column) ?? 'made') in others);
      if (isDoor && longest < leastReached(column)) unreached.push(nameOf(column));
    }
    expect(tooLong, name).toEqual([]);
    expect(unreached, 'the doors of these columns do not reach them').toEqual([]);
  });
});

describe('ids that are kept whole', () => {
  const long = `a${randomBytes(400).toString('hex')}`;

  it('are refused by the compiler of processes', async () => {
    const elements = [startEvent('start'), serviceTask(long), endEvent('end')];
    const { problems } = await compile(processModel('p', elements, [`a: start -> ${long}`, `b: ${long} -> end`]));
    expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
    const named = await compile(processModel(long, [startEvent('start'), endEvent('end')], ['a: start -> end']));
    expect(named.problems.some(({ severity }) => severity === 'error')).toBe(true);
  });

  it.each(['id', 'namespace'])('are refused by the compiler of decisions: %s of the file', (attribute) => {
    const xml = dmn(decision('price', literal('1')));
    const changed = xml.replace(new RegExp(`(<(?:dmn:)?definitions[^>]*? ${attribute}=")[^"]*`), `$1${long}`);
    expect(changed).not.toBe(xml);
    expect(perform({ kind: 'compile', xml: changed, imported: [] }).problems).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining(`The ${attribute} `) }),
    );
  });

  it('are refused in a path', () => {
    expect(identifier.safeParse(long).success).toBe(false);
  });
});

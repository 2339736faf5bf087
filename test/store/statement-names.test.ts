import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Fact } from '@perdure/engine/contract/facts.js';
import { rows } from '../../store/sql/database.js';
import { StatementNames } from '../../store/sql/statement-names.js';
import { began, jobCreated, commitStep, start, useStore } from './support/store.js';
import { openDatabase } from '../support/database.js';

const store = useStore();

it('a connection prepares a bounded number of statements, whatever combinations of parts the step commits have', async () => {
  const connection = openDatabase(store.databaseUrl, { max: 1 });
  const one = { ...store, database: connection };
  const workflowID = await start(store);
  await commitStep(one, workflowID, 1, began);
  // More shapes than names, each used often enough for a name.
  const [shapes, uses] = [40, 17];
  for (let shape = 0; shape < shapes; shape++) {
    for (let use = 0; use < uses; use++) {
      const number = shape * uses + use + 2;
      const has = (bit: number) => (shape & (1 << bit)) !== 0;
      const facts: Fact[] = [
        ...(has(0) ? jobCreated(number * 10) : []),
        ...(has(1) ? [{ kind: 'JOB_COMPLETED' as const, job: 1 }] : []),
        ...(has(2) ? [{ kind: 'USER_TASK_CREATED' as const, task: number * 10 + 4, element: 2, node: 'task' }] : []),
        ...(has(3) ? [{ kind: 'USER_TASK_CANCELED' as const, task: 1, reason: '' }] : []),
        ...(has(4)
          ? [
              {
                kind: 'SUBSCRIPTION_OPENED' as const,
                subscription: number * 10 + 5,
                element: 2,
                node: 'task',
                type: 'message' as const,
                name: randomUUID(),
              },
            ]
          : []),
        ...(has(5) ? [{ kind: 'SUBSCRIPTION_CLOSED' as const, subscription: 1, reason: 'CANCELED' as const }] : []),
      ];
      expect(await commitStep(one, workflowID, number, facts)).toEqual({ kind: 'accepted' });
    }
  }
  const prepared = await rows<{ name: string }>(
    connection,
    "SELECT name FROM pg_prepared_statements WHERE name LIKE 'step%'",
    [],
  );
  await connection.end();
  expect(prepared.length).toBeGreaterThan(0);
  expect(prepared.length).toBeLessThanOrEqual(24);
});

it('a step that corrects tasks as it ends them is another statement than one that only ends them', async () => {
  const connection = openDatabase(store.databaseUrl, { max: 1 });
  const one = { ...store, database: connection };
  const workflowID = await start(store);
  const tasks = Array.from({ length: 80 }, (_, index) => index + 10);
  const created = tasks.map((task): Fact => ({ kind: 'USER_TASK_CREATED', task, element: 2, node: 'task' }));
  await commitStep(one, workflowID, 1, [...began, ...created]);
  for (const [index, task] of tasks.entries()) {
    const corrected = index % 2 === 0 && { changes: { assignee: 'ada', priority: 3 } };
    const ended: Fact = { kind: 'USER_TASK_COMPLETED', task, ...corrected };
    expect(await commitStep(one, workflowID, index + 2, [ended])).toEqual({ kind: 'accepted' });
  }
  const found = await rows<{ assignee: string | null; priority: number; count: number }>(
    connection,
    "SELECT assignee, priority, count(*)::integer AS count FROM user_tasks WHERE workflow_id = $1 AND status = 'COMPLETED' GROUP BY 1, 2 ORDER BY 1",
    [workflowID],
  );
  await connection.end();
  expect(found).toEqual([
    { assignee: 'ada', priority: 3, count: 40 },
    { assignee: null, priority: 50, count: 40 },
  ]);
});

it('a shape is named once it has occurred often, and keeps its name', () => {
  const names = new StatementNames('step');
  const uses = Array.from({ length: 40 }, () => names.nameFor('1 2'));
  expect(new Set(uses)).toEqual(new Set([undefined, 'step 1 2']));
  expect(uses.lastIndexOf(undefined)).toBe(14);
  for (let shape = 0; shape < 5_000; shape++) expect(names.nameFor(`rare ${shape}`)).toBeUndefined();
  expect(names.nameFor('1 2')).toBe('step 1 2');
});

/** A suspension against what waits for a lock while it is written: two connections, every order of their commits. */
import type { PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { submitUnlessPaused } from '../../store/instances/submit-command.js';
import { rows } from '../../store/sql/database.js';
import { completeJob } from '../../store/work/job-ends.js';
import { suspendDefinition } from '../../store/suspension/definitions.js';
import { suspendInstance } from '../../store/suspension/suspension.js';
import { completeUserTask } from '../../store/work/user-tasks/ending.js';
import { untilBlocked } from './support/blocked.js';
import { began, deploy, jobCreated, commitStep, projectID, start, useStore, valueOf } from './support/store.js';

const store = useStore();
const by = { projectID, actor: 'ada' };

/** Holds the rows until it is released. */
async function hold(text: string, values: unknown[]): Promise<() => Promise<void>> {
  const holder: PoolClient = await store.pool.connect();
  await holder.query('BEGIN');
  await holder.query(text, values);
  return async () => {
    await holder.query('COMMIT');
    holder.release();
  };
}

/** Rows that show that an instance has moved or was moved. */
async function traces(workflowID: string): Promise<unknown> {
  return rows(
    store.database,
    `SELECT step_count, command_count, (SELECT count(*) FROM jobs j WHERE j.workflow_id = i.workflow_id) AS jobs,
       (SELECT count(*) FROM jobs j WHERE j.workflow_id = i.workflow_id AND ending_command IS NOT NULL) AS ended
     FROM instances i WHERE workflow_id = $1`,
    [workflowID],
  );
}

const task = [...began, ...jobCreated(), { kind: 'USER_TASK_CREATED' as const, task: 4, element: 2, node: 'task' }];

const moves: [string, (workflowID: string) => Promise<unknown>][] = [
  ['a step that creates a job', (workflowID) => commitStep(store, workflowID, 2, jobCreated(7))],
  [
    'a job that is completed by an operator',
    (workflowID) => completeJob(store.database, { workflowID, projectID, number: 3, awaited: false }),
  ],
  [
    'a user task that is completed',
    (workflowID) => completeUserTask(store.database, { workflowID, projectID, number: 4, awaited: false }),
  ],
  [
    'a command that moves',
    (workflowID) =>
      submitUnlessPaused(store.database, {
        workflowID,
        projectID,
        awaited: false,
        body: { kind: 'SET_VARIABLES', variables: {} },
      }),
  ],
];

describe.each(moves)('%s', (_name, move) => {
  it.each(['the definition', 'the definition of the caller', 'the instance'])(
    'that waits for its instance while %s is suspended moves nothing after the suspension was answered',
    async (scope) => {
      const { definitionID } = await deploy(store);
      const { definitionID: above } = await deploy(store);
      const workflowID = await start(store, { definitionID });
      await store.database.query('UPDATE instances SET ancestor_definitions = ARRAY[$2::uuid] WHERE workflow_id = $1', [
        workflowID,
        above,
      ]);
      await commitStep(store, workflowID, 1, task);
      const release = await hold('SELECT 1 FROM instances WHERE workflow_id = $1 FOR UPDATE', [workflowID]);
      const moving = move(workflowID);
      await untilBlocked(store);
      const suspending =
        scope === 'the instance'
          ? suspendInstance(store.database, { ...by, workflowID })
          : suspendDefinition(store.database, {
              ...by,
              definitionID: scope === 'the definition' ? definitionID : above,
            });
      let answered = false;
      const seen = suspending.then(async () => {
        answered = true;
        return traces(workflowID);
      });
      if (scope === 'the instance') await untilBlocked(store, 2);
      else
        while (
          !(await valueOf(
            store,
            'SELECT bool_or(suspended_at IS NOT NULL) AS value FROM definitions WHERE id = ANY($1::uuid[])',
            [[definitionID, above]],
          ))
        );
      expect(answered).toBe(false);
      await release();
      await moving;
      await suspending;
      expect(await traces(workflowID)).toEqual(await seen);
      await move(workflowID);
      expect(await traces(workflowID)).toEqual(await seen);
    },
  );
});

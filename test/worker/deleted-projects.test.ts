import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { deletedProjectIDs, deleteProject, ensureProject } from '../../store/projects/projects.js';
import { deletedProjects } from '../../worker/chores/deleted-projects.js';
import { deploy, useStore, valueOf } from '../store/support/store.js';
import { settleDeletion } from '../support/deleted-projects.js';

const store = useStore();
const logger = pino({ level: 'silent' });
const never = new AbortController().signal;

// Instances of earlier tests take no places in Temporal.
beforeEach(() => store.database.query('DELETE FROM erased_instances'));

/** A deleted project with so many ended instances. */
async function deletedWith(instances: number, prefix = 'p'): Promise<string> {
  const project = `${prefix}-${randomUUID()}`;
  const { definitionID } = await deploy(store, undefined, { project });
  await store.database.query(
    `INSERT INTO instances (workflow_id, project_id, definition_id, root_workflow_id, variables, status, completed_at)
     SELECT $1 || '-' || n, $1, $2, $1 || '-' || n, '{}', 'COMPLETED', now() FROM generate_series(1, $3) n`,
    [project, definitionID, instances],
  );
  await deleteProject(store.database, project);
  await settleDeletion(store.database, project);
  return project;
}

const instancesOf = (project: string) =>
  valueOf<number>(store, 'SELECT count(*)::int AS value FROM instances WHERE project_id = $1', [project]);

it('a project is deleted over several runs, each with a page of each deleted project in turn', async () => {
  const [big, small] = [await deletedWith(500, 'a'), await deletedWith(10, 'b')];
  const chore = deletedProjects({ store: store.database, logger });
  // The share of a run is over after its first page.
  const run = () => chore.run({ until: performance.now() + 1, stopping: never });
  expect(await run()).toBe('more');
  expect([await instancesOf(big), await instancesOf(small)]).toEqual([300, 10]);
  expect(await run()).toBe('more');
  expect([await instancesOf(big), await instancesOf(small)]).toEqual([300, 0]);
  let runs = 2;
  for (; (await deletedProjectIDs(store.database)).length > 0; runs += 1) await run();
  expect(runs).toBeGreaterThan(4);
});

it('a project whose rows cannot be deleted delays no other, and is reported', async () => {
  const [failing, other] = [await deletedWith(3, 'a'), await deletedWith(500, 'b')];
  await store.database.query(
    `CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a row stays'; END $$;
     CREATE TRIGGER refuse_deletion BEFORE DELETE ON instances
       FOR EACH ROW WHEN (OLD.project_id LIKE 'a-%') EXECUTE FUNCTION refuse_deletion()`,
  );
  const run = () => deletedProjects({ store: store.database, logger }).run({ until: Infinity, stopping: never });
  await expect(run()).rejects.toThrow('a row stays');
  expect(await deletedProjectIDs(store.database)).toEqual([failing]);
  expect([await instancesOf(failing), await instancesOf(other)]).toEqual([3, 0]);
  await store.database.query('DROP TRIGGER refuse_deletion ON instances');
  expect(await run()).toBe('done');
  expect(await deletedProjectIDs(store.database)).toEqual([]);
});

it('a run ends although deleted projects wait for something', async () => {
  const project = `p-${randomUUID()}`;
  await ensureProject(store.database, project);
  await deleteProject(store.database, project);
  const chore = deletedProjects({ store: store.database, logger });
  expect(await chore.run({ until: Infinity, stopping: never })).toBe('done');
  expect(await deletedProjectIDs(store.database)).toEqual([project]);
});

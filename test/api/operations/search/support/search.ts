/** The search operation over its own database, without a worker: what is searched is written by the tests. */
import { afterAll, beforeAll } from 'vitest';
import { createSearch } from '../../../../../api/operations/search/search.js';
import { evaluateInThread, type Evaluate } from '../../../../../api/search/threads.js';
import { commitStep, start, useStore, type StartOptions, type TestStore } from '../../../../store/support/store.js';
import { startTestApi, type TestApi } from '../../../support/api.js';
import { read, type Called } from '../../support/host.js';

export { deploy } from '../../../../store/support/store.js';
export { commitStep, start };

export const project = 'shop';

export interface SearchTest {
  readonly store: TestStore;
  readonly api: TestApi;
  /** Sends a search as a viewer of the project. */
  search(body: Record<string, unknown>, asProject?: string): Promise<Called>;
  /** Pages until the window is exhausted. */
  searchAll(body: Record<string, unknown>, between?: () => Promise<unknown>): Promise<Called['body'][]>;
}

export function useSearch({ deadlineMilliseconds = 30_000, evaluate = evaluateInThread as Evaluate } = {}): SearchTest {
  const store = useStore();
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ store: store.database, operations: [createSearch({ deadlineMilliseconds, evaluate })] });
  });
  afterAll(() => api?.close());
  const search = async (body: Record<string, unknown>, asProject = project) => {
    const token = await api.issuer.sign({
      projects: [
        { id: project, roles: ['viewer'] },
        { id: 'other', roles: ['viewer'] },
      ],
    });
    return read(await api.request('POST', `/projects/${asProject}/bpmn/instances/search`, { token, json: body }));
  };
  return {
    store,
    get api() {
      return api;
    },
    search,
    async searchAll(body, between = async () => undefined) {
      const pages: Called['body'][] = [];
      let cursor: string | undefined;
      do {
        const { status, body: page } = await search({ ...body, ...(cursor !== undefined && { cursor }) });
        if (status !== 200) throw new Error(`a page answered ${status}: ${JSON.stringify(page)}`);
        pages.push(page);
        cursor = page.nextCursor ?? undefined;
        await between();
      } while (cursor !== undefined);
      return pages;
    },
  };
}

/** Starts instances in order and gives their ids, newest first. */
export async function startAll(
  store: TestStore,
  definitionID: string,
  variables: NonNullable<StartOptions['variables']>[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const each of variables) ids.unshift(await start(store, { definitionID, variables: each }));
  return ids;
}

/** Writes `count` instances whose variable `n` counts from 1; much faster than starting them. */
export async function seed(
  { database }: TestStore,
  definitionID: string,
  count: number,
  projectID = project,
): Promise<void> {
  await database.query(
    `INSERT INTO instances (workflow_id, root_workflow_id, project_id, definition_id, variables, search_summary)
     SELECT id, id, $1, $2, json_build_object('n', n), jsonb_build_object('n', n) FROM (SELECT gen_random_uuid()::text AS id, n FROM generate_series(1, $3::int) n) AS made`,
    [projectID, definitionID, count],
  );
}

export function idsOf(pages: readonly { matches: { workflowID: string }[] }[]): string[] {
  return pages.flatMap(({ matches }) => matches.map(({ workflowID }) => workflowID));
}

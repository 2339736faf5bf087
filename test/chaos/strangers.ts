/** R15: two projects with the same names and ids see nothing of one another. */
import type { Caller } from './caller.js';
import type { Parcel } from './parcels.js';
import type { Violations } from './violations.js';
import type { Database } from '../../store/sql/database.js';

/** Parcels that are there under the same id in both projects are found in each by themselves alone. */
export async function checkStrangers(
  caller: Caller,
  parcels: readonly Parcel[],
  strangers: string,
  violations: Violations,
): Promise<void> {
  const theirs = parcels.filter(({ projectID }) => projectID === strangers);
  for (const { id, workflowID } of theirs) {
    const own = parcels.find((parcel) => parcel.id === id && parcel.projectID !== strangers)!;
    for (const [here, elsewhere] of [
      [own, workflowID],
      [theirs.find((parcel) => parcel.id === id)!, own.workflowID],
    ] as const) {
      const instances = `/projects/${here.projectID}/bpmn/instances`;
      const listed = await caller.send('GET', `${instances}?businessId=${id}`);
      const found = listed.body.data.map((instance: { workflowID: string }) => instance.workflowID);
      violations.check(
        'R15',
        found.length === 1 && found[0] === here.workflowID,
        () => `${id} in ${here.projectID} lists ${found.join(', ')}, not ${here.workflowID} alone`,
      );
      const { status } = await caller.send('GET', `${instances}/${elsewhere}`);
      violations.check(
        'R15',
        status === 404,
        () => `${elsewhere} of the other project was answered ${status} in ${here.projectID}`,
      );
    }
  }
}

/** Every instance that a search in a project found belongs to that project. */
export async function checkSeen(
  store: Database,
  projectID: string,
  seen: ReadonlySet<string>,
  violations: Violations,
): Promise<void> {
  const { rows } = await store.query<{ id: string }>(
    'SELECT workflow_id AS id FROM instances WHERE workflow_id = ANY($1::text[]) AND project_id <> $2',
    [[...seen], projectID],
  );
  for (const { id } of rows) violations.add('R15', `a search in ${projectID} found ${id} of another project`);
}

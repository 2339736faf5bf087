/** A batch, refreshed until it has ended. */
import { queryOptions } from '@tanstack/react-query';
import { unwrap, api } from '../../frame/api/client.js';
import type { Schemas } from '../../frame/api/client.js';

export type Batch = Schemas['BpmnBatch'];
export type BatchRequest = Schemas['CreateBpmnBatchRequest'];
export type Operation = Batch['operation'];

const refreshEveryMs = 1_000;

export const operationNames: Readonly<Record<Operation, string>> = {
  CANCEL: 'Cancel',
  RESOLVE: 'Resolve incidents',
  SET_VARIABLES: 'Set variables',
  MIGRATE: 'Migrate',
  SUSPEND: 'Suspend',
  RESUME: 'Resume',
  MODIFY: 'Modify',
  DELETE: 'Erase',
  FIRE_TIMERS: 'Fire timers',
};

/** Operations that need the role admin. */
export const forAdmins: ReadonlySet<Operation> = new Set(['SUSPEND', 'RESUME', 'MODIFY', 'DELETE']);

export function batchQuery(projectID: string, batchID: string) {
  return queryOptions({
    queryKey: [projectID, 'batch', batchID],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/projects/{projectID}/bpmn/batches/{batchID}', { params: { path: { projectID, batchID } }, signal }),
      ),
    refetchInterval: ({ state }) => (state.data?.completedAt === undefined ? refreshEveryMs : false),
  });
}

export function createBatch(projectID: string, body: BatchRequest) {
  return unwrap(api.POST('/projects/{projectID}/bpmn/batches', { params: { path: { projectID } }, body }));
}

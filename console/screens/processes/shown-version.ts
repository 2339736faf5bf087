import type { Schemas } from '../../frame/api/client.js';

/** A version as the page of its process has it: from the list of versions, or by its id. */
export type ShownVersion = Schemas['BpmnProcessDefinition'] &
  Pick<Schemas['BpmnProcessVersion'], 'startsSuspension' | 'scheduledSuspension'>;

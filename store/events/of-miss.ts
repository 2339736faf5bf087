/** Events of instances and activations that take longer than their target. */
import { dataOfInstance, insertEvents } from './record.js';

const ofInstance = dataOfInstance({
  workflowID: 'i.workflow_id',
  rootWorkflowID: 'i.root_workflow_id',
  businessID: 'i.business_id',
  definition: 'd',
});

/**
 * SQL: one event for each miss.
 * @param misses the name of the rows of `target_misses`
 */
export function insertMissEvents(misses: string): string {
  return insertEvents({
    from: `${misses} m JOIN instances i ON i.workflow_id = m.workflow_id JOIN definitions d ON d.id = m.definition_id`,
    projectID: 'm.project_id',
    type: 'target.missed',
    subject: 'm.workflow_id',
    workflowID: 'm.workflow_id',
    processID: 'd.process_id',
    // An empty id stands for the instance as a whole. The duration is ISO 8601, in seconds.
    data: `${ofInstance} || jsonb_build_object('nodeID', nullif(m.node_id, ''), 'duration', 'PT' || trim_scale(m.duration_ms / 1000.0) || 'S')`,
  });
}

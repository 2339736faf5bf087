/** Types of the jobs that the role `connectors` performs. */
import { AGENT_TASK_TYPE } from '@perdure/lib/model-files/agents.js';
import { temporalTaskTypes } from '@perdure/lib/model-files/temporal-tasks.js';

/** The second is the type of Camunda's HTTP JSON connector, so that its template needs no change. */
export const HTTP_TASK_TYPES = ['perdure:http', 'io.camunda:http-json:1'];

const connectorTypes: ReadonlySet<string> = new Set([...HTTP_TASK_TYPES, AGENT_TASK_TYPE, ...temporalTaskTypes]);

export function isOfConnectors(taskType: string): boolean {
  return connectorTypes.has(taskType);
}

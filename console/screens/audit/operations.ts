/** The operations that the audit log records. A test compares them with those of the API. */
import type { operations } from '@perdure/client';

export const recordedOperations = [
  'AddBpmnUserTaskComment',
  'CancelBpmnBatch',
  'CancelBpmnInstance',
  'ChangeProjectSettings',
  'ClaimBpmnUserTask',
  'CompleteBpmnExternalJob',
  'CompleteBpmnExternalJobsBatch',
  'CompleteBpmnUserTask',
  'CreateBpmnBatch',
  'CreateBpmnResource',
  'CreateDefinition',
  'CreateProject',
  'DeleteBpmnPublication',
  'DeleteBpmnResource',
  'DeleteDefinition',
  'DeleteProjectMember',
  'DeployBpmnBundle',
  'DeployBpmnResource',
  'EraseBpmnInstance',
  'MigrateBpmnInstance',
  'MigrateBpmnInstances',
  'ModifyBpmnInstance',
  'PauseBpmnBatch',
  'PublishBpmnMessage',
  'PublishBpmnSignal',
  'PutBpmnTargets',
  'PutProjectMember',
  'RedactBpmnVariables',
  'ResolveBpmnIncident',
  'RestartBpmnInstance',
  'ResumeBpmnBatch',
  'ResumeBpmnDefinition',
  'ResumeBpmnInstance',
  'SetBpmnAdHocVariables',
  'StartBpmnInstance',
  'StartBpmnTestInstance',
  'SuspendBpmnDefinition',
  'SuspendBpmnInstance',
  'ThrowBpmnExternalJobError',
  'ThrowBpmnExternalJobErrorsBatch',
  'ThrowBpmnUserTaskError',
  'TriggerBpmnAdHocNode',
  'UnclaimBpmnUserTask',
  'UpdateBpmnExternalJob',
  'UpdateBpmnInstanceVariables',
  'UpdateBpmnResource',
  'UpdateBpmnUserTaskAssignment',
  'UpdateDefinition',
] as const satisfies readonly (keyof operations)[];

/** `CompleteBpmnUserTask` as `Complete user task`. */
export function inWords(operation: string): string {
  const words = operation.replace('Bpmn', '').split(/(?=[A-Z])/);
  return [words[0], ...words.slice(1).map((word) => word.toLowerCase())].join(' ');
}

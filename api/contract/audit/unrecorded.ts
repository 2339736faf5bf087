/** The only operations besides reads that leave no entry in the audit log, each with the reason. */
const unrecorded = {
  PollBpmnExternalJobs: 'Leases jobs. The history of the instance has the work of job workers.',
  HeartbeatBpmnExternalJob: 'Extends a lease. The history of the instance has the work of job workers.',
  SearchBpmnInstances: 'Reads. Its predicate is in the body.',
  EvaluateBpmnExpression: 'Reads. Its expression is in the body.',
  ValidateBpmnXml: 'Computes the problems of a file.',
  ConvertBpmnModel: 'Computes another file, and stores neither.',
  ValidateBpmnInstanceMigration: 'Computes whether a plan fits.',
  ValidateBpmnInstancesMigration: 'Computes whether a plan fits.',
  EvaluateDesign: 'Computes decisions of a file that is not stored.',
  EvaluateDesignBatch: 'Computes decisions of a file that is not stored.',
  EvaluateStored: 'Computes a decision. The list of its executions names each caller.',
  EvaluateByDefinitionsID: 'Computes a decision. The list of its executions names each caller.',
  CallMcp: 'Calls other operations, each of which leaves its own entry.',
} as const satisfies Readonly<Record<string, string>>;

export type UnrecordedOperation = keyof typeof unrecorded;

export const unrecordedOperations: Readonly<Record<string, string>> = unrecorded;

/** Generated from the OpenAPI document by `npm run generate:client`. Do not edit. */

/** A list of the REST API: what it can be filtered and sorted by. */
export interface ListDescription {
  path: string;
  /** In the order in which user interfaces show them. */
  filters: readonly FilterDescription[];
  /** Values of `sort`, the default first; empty if the list has one order. */
  sorts: readonly string[];
  /** Orders that take long in a large list together with a filter, or without one; `fastOrders` leaves them out. */
  slow?: readonly SlowOrder[];
}

export interface SlowOrder {
  sort: string;
  order: 'asc' | 'desc';
  /** Any of them makes the order slow. */
  filters: readonly string[];
  /** So does any other value of this filter, or none. */
  without?: { filter: string; value: string };
}

export interface FilterDescription {
  /** The name of the query parameter. */
  name: string;
  /** In sentence case. */
  label: string;
  /** `time`: RFC 3339 with a zone. */
  kind: 'text' | 'enum' | 'time' | 'boolean';
  /** Of an `enum` and a `boolean`: what the parameter can be. */
  values?: readonly { value: string; label: string }[];
  /** Up to 20 values, separated by commas. */
  several?: true;
  /** Shorter texts are refused. */
  minLength?: number;
  /** Another filter of the list without which this one is refused. */
  needs?: string;
}

/** All lists with filters or orders, by the id of their operation. */
export const lists = {
  ListAuditEntries: {
    path: "/projects/{projectID}/audit",
    filters: [
      {"name":"actor","label":"Actor","kind":"text"},
      {"name":"operation","label":"Operation","kind":"text","several":true},
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"businessId","label":"Business id","kind":"text"},
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"executionKey","label":"Job or user task","kind":"text"},
      {"name":"batchID","label":"Batch","kind":"text"},
      {"name":"outcome","label":"Outcome","kind":"enum","several":true,"values":[{"value":"PENDING","label":"Pending"},{"value":"APPLIED","label":"Applied"},{"value":"REJECTED","label":"Rejected"}]},
      {"name":"since","label":"From","kind":"time"},
      {"name":"until","label":"Until","kind":"time"},
    ],
    sorts: ["time"],
  },
  ListBpmnBacktestItems: {
    path: "/projects/{projectID}/bpmn/backtests/{backtestID}/items",
    filters: [
      {"name":"outcome","label":"Outcome","kind":"enum","several":true,"values":[{"value":"SAME","label":"Same"},{"value":"OTHER_PATH","label":"Other path"},{"value":"OTHER_RESULT","label":"Other result"},{"value":"INCIDENT","label":"Incident"},{"value":"UNANSWERED","label":"Unanswered"},{"value":"SKIPPED","label":"Skipped"}]},
      {"name":"nodeID","label":"Node id","kind":"text"},
    ],
    sorts: [],
  },
  ListBpmnBacktests: {
    path: "/projects/{projectID}/bpmn/backtests",
    filters: [
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"status","label":"Status","kind":"enum","several":true,"values":[{"value":"RUNNING","label":"Running"},{"value":"COMPLETED","label":"Completed"},{"value":"CANCELED","label":"Canceled"}]},
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"resourceID","label":"Draft id","kind":"text"},
    ],
    sorts: [],
  },
  ListBpmnBatchItems: {
    path: "/projects/{projectID}/bpmn/batches/{batchID}/items",
    filters: [
      {"name":"status","label":"Status","kind":"enum","several":true,"values":[{"value":"PENDING","label":"Pending"},{"value":"APPLIED","label":"Applied"},{"value":"FAILED_AGAIN","label":"Failed again"},{"value":"REJECTED","label":"Rejected"},{"value":"SKIPPED","label":"Skipped"},{"value":"CANCELED","label":"Canceled"}]},
    ],
    sorts: [],
  },
  ListBpmnBatches: {
    path: "/projects/{projectID}/bpmn/batches",
    filters: [
      {"name":"operation","label":"Operation","kind":"enum","several":true,"values":[{"value":"CANCEL","label":"Cancel"},{"value":"RESOLVE","label":"Resolve"},{"value":"SET_VARIABLES","label":"Set variables"},{"value":"MIGRATE","label":"Migrate"},{"value":"SUSPEND","label":"Suspend"},{"value":"RESUME","label":"Resume"},{"value":"MODIFY","label":"Modify"},{"value":"DELETE","label":"Delete"},{"value":"FIRE_TIMERS","label":"Fire timers"}]},
      {"name":"status","label":"Status","kind":"enum","several":true,"values":[{"value":"RUNNING","label":"Running"},{"value":"PAUSED","label":"Paused"},{"value":"COMPLETED","label":"Completed"},{"value":"CANCELED","label":"Canceled"}]},
      {"name":"createdBy","label":"Created by","kind":"text"},
      {"name":"createdAfter","label":"Created after","kind":"time"},
      {"name":"createdBefore","label":"Created before","kind":"time"},
    ],
    sorts: [],
  },
  ListBpmnDeployments: {
    path: "/projects/{projectID}/bpmn/deployments",
    filters: [
    ],
    sorts: [],
  },
  ListBpmnExternalJobs: {
    path: "/projects/{projectID}/bpmn/external-jobs",
    filters: [
      {"name":"taskType","label":"Task type","kind":"text","several":true},
      {"name":"status","label":"Status","kind":"enum","several":true,"values":[{"value":"PENDING","label":"Pending"},{"value":"COMPLETED","label":"Completed"},{"value":"FAILED","label":"Failed"},{"value":"CANCELED","label":"Canceled"}]},
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"businessId","label":"Business id","kind":"text"},
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"nodeID","label":"Node id","kind":"text"},
      {"name":"lockedBy","label":"Worker","kind":"text"},
      {"name":"errorCode","label":"Error code","kind":"text"},
      {"name":"createdAfter","label":"Created after","kind":"time"},
      {"name":"createdBefore","label":"Created before","kind":"time"},
      {"name":"completedAfter","label":"Ended after","kind":"time"},
      {"name":"completedBefore","label":"Ended before","kind":"time"},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: ["createdAt","completedAt","priority"],
    slow: [
      {"sort":"createdAt","order":"asc","filters":["completedAfter"]},
      {"sort":"completedAt","order":"asc","filters":["createdAfter"]},
      {"sort":"completedAt","order":"desc","filters":["createdBefore"]},
      {"sort":"priority","order":"asc","filters":["createdAfter","completedAfter"]},
      {"sort":"priority","order":"desc","filters":["createdBefore","completedBefore"]},
    ],
  },
  ListBpmnIncidentGroups: {
    path: "/projects/{projectID}/bpmn/incidents/groups",
    filters: [
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"includeChildren","label":"Called instances","kind":"boolean","values":[{"value":"true","label":"Included"},{"value":"false","label":"Left out"}],"needs":"workflowID"},
      {"name":"status","label":"Status","kind":"enum","values":[{"value":"open","label":"Open"},{"value":"resolved","label":"Resolved"}]},
      {"name":"nodeID","label":"Node id","kind":"text"},
      {"name":"errorType","label":"Type","kind":"enum","several":true,"values":[{"value":"BpmnError","label":"BpmnError"},{"value":"EscalationError","label":"EscalationError"},{"value":"CompensationError","label":"CompensationError"},{"value":"FeelError","label":"FeelError"},{"value":"NoHandler","label":"NoHandler"},{"value":"GatewayNoMatch","label":"GatewayNoMatch"},{"value":"TimerResolution","label":"TimerResolution"},{"value":"LinkNotFound","label":"LinkNotFound"},{"value":"MigrationError","label":"MigrationError"},{"value":"SubscriptionError","label":"SubscriptionError"},{"value":"RotationLimitError","label":"RotationLimitError"},{"value":"SnapshotSizeExceeded","label":"SnapshotSizeExceeded"},{"value":"CallActivityCanceled","label":"CallActivityCanceled"},{"value":"ExternalRowRefreshError","label":"ExternalRowRefreshError"},{"value":"JobLockLost","label":"JobLockLost"},{"value":"DecisionNotFound","label":"DecisionNotFound"},{"value":"EngineError","label":"EngineError"},{"value":"Unknown","label":"Unknown"}]},
      {"name":"errorCode","label":"Error code","kind":"text"},
      {"name":"messageContains","label":"Message contains","kind":"text","minLength":3},
      {"name":"groupID","label":"Group","kind":"text"},
      {"name":"since","label":"Raised after","kind":"time"},
      {"name":"until","label":"Raised before","kind":"time"},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: [],
  },
  ListBpmnIncidents: {
    path: "/projects/{projectID}/bpmn/incidents",
    filters: [
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"includeChildren","label":"Called instances","kind":"boolean","values":[{"value":"true","label":"Included"},{"value":"false","label":"Left out"}],"needs":"workflowID"},
      {"name":"status","label":"Status","kind":"enum","values":[{"value":"open","label":"Open"},{"value":"resolved","label":"Resolved"}]},
      {"name":"nodeID","label":"Node id","kind":"text"},
      {"name":"errorType","label":"Type","kind":"enum","several":true,"values":[{"value":"BpmnError","label":"BpmnError"},{"value":"EscalationError","label":"EscalationError"},{"value":"CompensationError","label":"CompensationError"},{"value":"FeelError","label":"FeelError"},{"value":"NoHandler","label":"NoHandler"},{"value":"GatewayNoMatch","label":"GatewayNoMatch"},{"value":"TimerResolution","label":"TimerResolution"},{"value":"LinkNotFound","label":"LinkNotFound"},{"value":"MigrationError","label":"MigrationError"},{"value":"SubscriptionError","label":"SubscriptionError"},{"value":"RotationLimitError","label":"RotationLimitError"},{"value":"SnapshotSizeExceeded","label":"SnapshotSizeExceeded"},{"value":"CallActivityCanceled","label":"CallActivityCanceled"},{"value":"ExternalRowRefreshError","label":"ExternalRowRefreshError"},{"value":"JobLockLost","label":"JobLockLost"},{"value":"DecisionNotFound","label":"DecisionNotFound"},{"value":"EngineError","label":"EngineError"},{"value":"Unknown","label":"Unknown"}]},
      {"name":"errorCode","label":"Error code","kind":"text"},
      {"name":"messageContains","label":"Message contains","kind":"text","minLength":3},
      {"name":"groupID","label":"Group","kind":"text"},
      {"name":"since","label":"Raised after","kind":"time"},
      {"name":"until","label":"Raised before","kind":"time"},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: ["raisedAt"],
  },
  ListBpmnInstanceUserTasks: {
    path: "/projects/{projectID}/bpmn/instances/{workflowID}/user-tasks",
    filters: [
      {"name":"businessId","label":"Business id","kind":"text"},
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"nodeID","label":"Node id","kind":"text"},
      {"name":"nameContains","label":"Name contains","kind":"text","minLength":3},
      {"name":"unassigned","label":"Assignment","kind":"boolean","values":[{"value":"true","label":"Unassigned"},{"value":"false","label":"Assigned"}]},
      {"name":"createdAfter","label":"Created after","kind":"time"},
      {"name":"createdBefore","label":"Created before","kind":"time"},
      {"name":"completedAfter","label":"Ended after","kind":"time"},
      {"name":"completedBefore","label":"Ended before","kind":"time"},
      {"name":"dueAfter","label":"Due after","kind":"time"},
      {"name":"dueBefore","label":"Due before","kind":"time"},
      {"name":"followUpBefore","label":"Follow up before","kind":"time"},
      {"name":"status","label":"Status","kind":"enum","several":true,"values":[{"value":"CREATED","label":"Created"},{"value":"COMPLETED","label":"Completed"},{"value":"CANCELED","label":"Canceled"},{"value":"FAILED","label":"Failed"}]},
      {"name":"assignee","label":"Assignee","kind":"text"},
      {"name":"candidateUser","label":"Candidate user","kind":"text"},
      {"name":"candidateGroup","label":"Candidate group","kind":"text"},
    ],
    sorts: ["createdAt","dueDate","priority","completedAt"],
  },
  ListBpmnInstances: {
    path: "/projects/{projectID}/bpmn/instances",
    filters: [
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"status","label":"Status","kind":"enum","several":true,"values":[{"value":"RUNNING","label":"Running"},{"value":"COMPLETED","label":"Completed"},{"value":"FAILED","label":"Failed"},{"value":"CANCELED","label":"Canceled"}]},
      {"name":"hasIncident","label":"Incident","kind":"boolean","values":[{"value":"true","label":"With an incident"},{"value":"false","label":"Without"}]},
      {"name":"suspended","label":"Suspension","kind":"boolean","values":[{"value":"true","label":"Paused"},{"value":"false","label":"Not paused"}]},
      {"name":"createdAfter","label":"Started after","kind":"time"},
      {"name":"createdBefore","label":"Started before","kind":"time"},
      {"name":"completedAfter","label":"Ended after","kind":"time"},
      {"name":"completedBefore","label":"Ended before","kind":"time"},
      {"name":"workflowIDPrefix","label":"Instance id begins with","kind":"text","minLength":4},
      {"name":"businessId","label":"Business id","kind":"text"},
      {"name":"businessIdPrefix","label":"Business id begins with","kind":"text"},
      {"name":"failureReasonContains","label":"Failure contains","kind":"text","minLength":3},
      {"name":"startedBy","label":"Started by","kind":"text"},
      {"name":"root","label":"Called instances","kind":"boolean","values":[{"value":"true","label":"Left out"},{"value":"false","label":"Only called instances"}]},
      {"name":"activeNodeID","label":"Node id","kind":"text"},
      {"name":"parentWorkflowID","label":"Called by","kind":"text"},
      {"name":"importedFrom","label":"Imported from","kind":"text"},
      {"name":"importedFromID","label":"Imported id","kind":"text"},
      {"name":"restartedFrom","label":"Restarted from","kind":"text"},
      {"name":"overTarget","label":"Duration","kind":"boolean","values":[{"value":"true","label":"Over target"},{"value":"false","label":"Not over target"}]},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: ["createdAt","completedAt","businessId"],
    slow: [
      {"sort":"createdAt","order":"asc","filters":["completedAfter","businessIdPrefix"]},
      {"sort":"createdAt","order":"desc","filters":["businessIdPrefix"]},
      {"sort":"completedAt","order":"asc","filters":["createdAfter","businessIdPrefix"]},
      {"sort":"completedAt","order":"desc","filters":["createdBefore","businessIdPrefix"]},
      {"sort":"businessId","order":"asc","filters":["createdAfter","completedAfter"]},
      {"sort":"businessId","order":"desc","filters":["createdBefore","completedBefore"]},
    ],
  },
  ListBpmnProcessVersions: {
    path: "/projects/{projectID}/bpmn/processes/{processID}/versions",
    filters: [
      {"name":"createdAfter","label":"Deployed after","kind":"time"},
      {"name":"suspended","label":"Suspension","kind":"boolean","values":[{"value":"true","label":"Suspended"},{"value":"false","label":"Not suspended"}]},
    ],
    sorts: [],
  },
  ListBpmnProcesses: {
    path: "/projects/{projectID}/bpmn/processes",
    filters: [
      {"name":"q","label":"Id or name contains","kind":"text"},
      {"name":"createdAfter","label":"Deployed after","kind":"time"},
      {"name":"suspended","label":"Suspension","kind":"boolean","values":[{"value":"true","label":"With a suspended version"},{"value":"false","label":"Without"}]},
    ],
    sorts: [],
  },
  ListBpmnPublications: {
    path: "/projects/{projectID}/bpmn/publications",
    filters: [
      {"name":"type","label":"Type","kind":"enum","values":[{"value":"message","label":"Message"},{"value":"signal","label":"Signal"}]},
      {"name":"name","label":"Name","kind":"text"},
      {"name":"state","label":"State","kind":"enum","several":true,"values":[{"value":"KEPT","label":"Kept"},{"value":"CLAIMED","label":"Claimed"},{"value":"TAKEN","label":"Taken"},{"value":"EXPIRED","label":"Expired"},{"value":"DELETED","label":"Deleted"}]},
      {"name":"publishedAfter","label":"Published after","kind":"time"},
      {"name":"publishedBefore","label":"Published before","kind":"time"},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: [],
  },
  ListBpmnSubscriptions: {
    path: "/projects/{projectID}/bpmn/subscriptions",
    filters: [
      {"name":"type","label":"Type","kind":"enum","values":[{"value":"message","label":"Message"},{"value":"signal","label":"Signal"}]},
      {"name":"name","label":"Name","kind":"text"},
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: [],
  },
  ListBpmnUserTasks: {
    path: "/projects/{projectID}/bpmn/user-tasks",
    filters: [
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"businessId","label":"Business id","kind":"text"},
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"nodeID","label":"Node id","kind":"text"},
      {"name":"nameContains","label":"Name contains","kind":"text","minLength":3},
      {"name":"unassigned","label":"Assignment","kind":"boolean","values":[{"value":"true","label":"Unassigned"},{"value":"false","label":"Assigned"}]},
      {"name":"createdAfter","label":"Created after","kind":"time"},
      {"name":"createdBefore","label":"Created before","kind":"time"},
      {"name":"completedAfter","label":"Ended after","kind":"time"},
      {"name":"completedBefore","label":"Ended before","kind":"time"},
      {"name":"dueAfter","label":"Due after","kind":"time"},
      {"name":"dueBefore","label":"Due before","kind":"time"},
      {"name":"followUpBefore","label":"Follow up before","kind":"time"},
      {"name":"status","label":"Status","kind":"enum","several":true,"values":[{"value":"CREATED","label":"Created"},{"value":"COMPLETED","label":"Completed"},{"value":"CANCELED","label":"Canceled"},{"value":"FAILED","label":"Failed"}]},
      {"name":"assignee","label":"Assignee","kind":"text"},
      {"name":"candidateUser","label":"Candidate user","kind":"text"},
      {"name":"candidateGroup","label":"Candidate group","kind":"text"},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: ["createdAt","dueDate","priority","completedAt"],
    slow: [
      {"sort":"createdAt","order":"asc","filters":["completedAfter"]},
      {"sort":"createdAt","order":"desc","filters":["completedBefore"]},
      {"sort":"dueDate","order":"asc","filters":[],"without":{"filter":"status","value":"CREATED"}},
      {"sort":"dueDate","order":"desc","filters":[],"without":{"filter":"status","value":"CREATED"}},
      {"sort":"priority","order":"asc","filters":[],"without":{"filter":"status","value":"CREATED"}},
      {"sort":"priority","order":"desc","filters":[],"without":{"filter":"status","value":"CREATED"}},
      {"sort":"completedAt","order":"asc","filters":["createdAfter"]},
      {"sort":"completedAt","order":"desc","filters":["createdBefore"]},
    ],
  },
  ListBpmnUserTasksForCaller: {
    path: "/projects/{projectID}/bpmn/user-tasks/me",
    filters: [
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"businessId","label":"Business id","kind":"text"},
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"processId","label":"Process id","kind":"text"},
      {"name":"nodeID","label":"Node id","kind":"text"},
      {"name":"nameContains","label":"Name contains","kind":"text","minLength":3},
      {"name":"unassigned","label":"Assignment","kind":"boolean","values":[{"value":"true","label":"Unassigned"},{"value":"false","label":"Assigned"}]},
      {"name":"createdAfter","label":"Created after","kind":"time"},
      {"name":"createdBefore","label":"Created before","kind":"time"},
      {"name":"completedAfter","label":"Ended after","kind":"time"},
      {"name":"completedBefore","label":"Ended before","kind":"time"},
      {"name":"dueAfter","label":"Due after","kind":"time"},
      {"name":"dueBefore","label":"Due before","kind":"time"},
      {"name":"followUpBefore","label":"Follow up before","kind":"time"},
      {"name":"assignee","label":"Assignee","kind":"text"},
      {"name":"isTest","label":"Tests of drafts","kind":"boolean","values":[{"value":"true","label":"Only tests"}]},
    ],
    sorts: ["createdAt","dueDate","priority","completedAt"],
  },
  ListDecisions: {
    path: "/projects/{projectID}/dmn/decisions",
    filters: [
      {"name":"q","label":"Id or name contains","kind":"text"},
    ],
    sorts: [],
  },
  ListExecutions: {
    path: "/projects/{projectID}/dmn/definitions/{definitionID}/executions",
    filters: [
      {"name":"definitionsID","label":"File id","kind":"text"},
      {"name":"startDate","label":"Evaluated from","kind":"time"},
      {"name":"businessId","label":"Business id","kind":"text"},
    ],
    sorts: [],
  },
  ListOrganizationAuditEntries: {
    path: "/audit",
    filters: [
      {"name":"projectID","label":"Project","kind":"text"},
      {"name":"actor","label":"Actor","kind":"text"},
      {"name":"operation","label":"Operation","kind":"text","several":true},
      {"name":"workflowID","label":"Instance","kind":"text"},
      {"name":"businessId","label":"Business id","kind":"text"},
      {"name":"definitionID","label":"Version id","kind":"text"},
      {"name":"executionKey","label":"Job or user task","kind":"text"},
      {"name":"batchID","label":"Batch","kind":"text"},
      {"name":"outcome","label":"Outcome","kind":"enum","several":true,"values":[{"value":"PENDING","label":"Pending"},{"value":"APPLIED","label":"Applied"},{"value":"REJECTED","label":"Rejected"}]},
      {"name":"since","label":"From","kind":"time"},
      {"name":"until","label":"Until","kind":"time"},
    ],
    sorts: ["time"],
  },
  ListProjectExecutions: {
    path: "/projects/{projectID}/dmn/executions",
    filters: [
      {"name":"definitionsID","label":"File id","kind":"text"},
      {"name":"businessId","label":"Business id","kind":"text"},
    ],
    sorts: [],
  },
} as const satisfies { readonly [operationID: string]: ListDescription };

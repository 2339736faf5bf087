/** The operations that no command calls, with the reason. */
const reasons = {
  drafts: 'Drafts are edited in the modeler and the console. The command line deploys bundles.',
  design: 'Computes over a file that is being edited. perdure lint and the testkit do that without a host.',
  jobs: 'The protocol of job workers, whose leases a command cannot keep alive.',
  administration: 'Projects and members are managed once, in the console or at the identity provider.',
  screens: 'Feeds a screen of the console. Commands show the same things by other operations.',
  decisions: 'Decisions are deployed with bundles, and evaluated by processes or over REST.',
  people: 'For the application in which people work, or the console.',
  service: 'About the API itself, for load balancers, browsers, and programs.',
  batches:
    'perdure batch does the same for many, with a dry run and progress. Jobs are changed one by one in the console.',
} as const;

const operationsByReason: { readonly [Reason in keyof typeof reasons]: readonly string[] } = {
  drafts: [
    'ListBpmnResources',
    'CreateBpmnResource',
    'ListBpmnResourcesByDefinitionsID',
    'ListLatestBpmnResources',
    'GetBpmnResource',
    'UpdateBpmnResource',
    'DeleteBpmnResource',
    'DeployBpmnResource',
    'StartBpmnTestInstance',
  ],
  design: ['EvaluateDesign', 'EvaluateDesignBatch', 'ConvertBpmnModel', 'ValidateBpmnXml'],
  jobs: [
    'CompleteBpmnExternalJobsBatch',
    'ThrowBpmnExternalJobErrorsBatch',
    'PollBpmnExternalJobs',
    'HeartbeatBpmnExternalJob',
  ],
  administration: [
    'ListProjects',
    'CreateProject',
    'GetProject',
    'DeleteProject',
    'ListProjectMembers',
    'PutProjectMember',
    'DeleteProjectMember',
    'GetProjectSettings',
    'ChangeProjectSettings',
  ],
  screens: [
    'GetBpmnDefinition',
    'GetBpmnDefinitionNodes',
    'GetBpmnInstanceChildren',
    'GetBpmnInstanceSuspension',
    'ListBpmnInstanceTimeline',
    'ListBpmnInstanceUserTasks',
    'ListBpmnProcesses',
    'GetBpmnProcessStatistics',
    'GetBpmnTargets',
    'PutBpmnTargets',
    'GetBpmnStatistics',
    'GetBpmnStatisticsTrend',
    'ListBpmnSubscriptions',
  ],
  decisions: [
    'ListDecisions',
    'ListDefinitions',
    'CreateDefinition',
    'GetDefinitionByDefinitionsID',
    'EvaluateByDefinitionsID',
    'ListDefinitionVersions',
    'ListLatestDefinitions',
    'GetDefinition',
    'UpdateDefinition',
    'DeleteDefinition',
    'EvaluateStored',
    'ListExecutions',
    'ListProjectExecutions',
    'GetExecution',
  ],
  people: [
    'GetBpmnStartForm',
    'GetBpmnUserTaskForm',
    'ListBpmnUserTaskComments',
    'UpdateBpmnUserTaskAssignment',
    'TriggerBpmnAdHocNode',
    'SetBpmnAdHocVariables',
    'EvaluateBpmnConditionals',
  ],
  service: ['GetDocs', 'GetHealth', 'GetOpenApi', 'GetReadiness', 'GetScenarioSchema', 'GetVersion', 'GetBpmnCommand', 'CallMcp'],
  batches: ['UpdateBpmnExternalJob', 'MigrateBpmnInstances', 'ValidateBpmnInstancesMigration', 'GetBpmnMigration'],
};

/** Reasons by operation. */
export const withoutCommand: ReadonlyMap<string, string> = new Map(
  Object.entries(operationsByReason).flatMap(([reason, names]) =>
    names.map((name) => [name, reasons[reason as keyof typeof reasons]]),
  ),
);

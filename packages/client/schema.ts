/** Generated from the OpenAPI document by `npm run generate:client`. Do not edit. */

export interface paths {
  '/audit': {
    /** List the audit log of the organization Role: system-admin. */
    get: operations['ListOrganizationAuditEntries'];
  };
  '/dmn/evaluate/design': {
    /** Evaluate decisions of an unsaved DMN file Role: authenticated. */
    post: operations['EvaluateDesign'];
  };
  '/dmn/evaluate/design/batch': {
    /** Evaluate an unsaved DMN file with several inputs Role: authenticated. */
    post: operations['EvaluateDesignBatch'];
  };
  '/docs': {
    /** Get the API documentation page Role: public. */
    get: operations['GetDocs'];
  };
  '/health': {
    /** Check liveness Role: public. */
    get: operations['GetHealth'];
  };
  '/openapi.json': {
    /** Get the OpenAPI document Role: public. */
    get: operations['GetOpenApi'];
  };
  '/projects': {
    /** List the caller's projects Role: authenticated. */
    get: operations['ListProjects'];
    /** Create a project Role: org-admin. */
    post: operations['CreateProject'];
  };
  '/projects/{projectID}': {
    /** Get a project Role: viewer. */
    get: operations['GetProject'];
    /** Delete a project Role: admin. */
    delete: operations['DeleteProject'];
  };
  '/projects/{projectID}/audit': {
    /** List the audit log Role: admin. */
    get: operations['ListAuditEntries'];
  };
  '/projects/{projectID}/bpmn/backtests': {
    /** List backtests Role: viewer. */
    get: operations['ListBpmnBacktests'];
  };
  '/projects/{projectID}/bpmn/backtests/{backtestID}': {
    /** Get a backtest Role: viewer. */
    get: operations['GetBpmnBacktest'];
  };
  '/projects/{projectID}/bpmn/backtests/{backtestID}/cancel': {
    /** Cancel a backtest Role: editor. */
    post: operations['CancelBpmnBacktest'];
  };
  '/projects/{projectID}/bpmn/backtests/{backtestID}/items': {
    /** List the instances of a backtest Role: viewer. */
    get: operations['ListBpmnBacktestItems'];
  };
  '/projects/{projectID}/bpmn/backtests/{backtestID}/items/{workflowID}': {
    /** Compare the runs of one instance of a backtest Role: viewer. */
    get: operations['GetBpmnBacktestItem'];
  };
  '/projects/{projectID}/bpmn/backtests/{backtestID}/items/{workflowID}/positions': {
    /** Get the run of the version for the interpreter Role: editor. */
    get: operations['GetBpmnBacktestItemPositions'];
  };
  '/projects/{projectID}/bpmn/batches': {
    /** List batches Role: viewer. */
    get: operations['ListBpmnBatches'];
    /** Create a batch operation Role: editor. */
    post: operations['CreateBpmnBatch'];
  };
  '/projects/{projectID}/bpmn/batches/{batchID}': {
    /** Get the progress of a batch Role: viewer. */
    get: operations['GetBpmnBatch'];
  };
  '/projects/{projectID}/bpmn/batches/{batchID}/cancel': {
    /** Cancel a batch Role: editor. */
    post: operations['CancelBpmnBatch'];
  };
  '/projects/{projectID}/bpmn/batches/{batchID}/items': {
    /** List the items of a batch Role: viewer. */
    get: operations['ListBpmnBatchItems'];
  };
  '/projects/{projectID}/bpmn/batches/{batchID}/pause': {
    /** Pause a batch Role: editor. */
    post: operations['PauseBpmnBatch'];
  };
  '/projects/{projectID}/bpmn/batches/{batchID}/resume': {
    /** Resume a paused batch Role: editor. */
    post: operations['ResumeBpmnBatch'];
  };
  '/projects/{projectID}/bpmn/conditionals/evaluate': {
    /** Evaluate conditional start events Role: executor. */
    post: operations['EvaluateBpmnConditionals'];
  };
  '/projects/{projectID}/bpmn/convert': {
    /** Convert a BPMN file of another engine Role: editor. */
    post: operations['ConvertBpmnModel'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}': {
    /** Get a definition Role: viewer. */
    get: operations['GetBpmnDefinition'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/backtests': {
    /** Compare a definition with history Role: editor. */
    post: operations['CreateBpmnBacktest'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/form': {
    /** Get the start form of a definition Role: viewer. */
    get: operations['GetBpmnStartForm'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/migrate': {
    /** Migrate the running instances of a definition Role: editor. */
    post: operations['MigrateBpmnInstances'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/migrate/validate': {
    /** Validate the migration of a definition's instances Role: editor. */
    post: operations['ValidateBpmnInstancesMigration'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/nodes': {
    /** Count instances and open incidents per node Role: viewer. */
    get: operations['GetBpmnDefinitionNodes'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/resume': {
    /** Resume a definition Role: admin. */
    post: operations['ResumeBpmnDefinition'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/start-timers/{nodeID}/run': {
    /** Start an instance at a start timer now Role: editor. */
    post: operations['RunBpmnStartTimer'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/start-timers/{nodeID}/skip': {
    /** Skip the next tick of a start timer Role: editor. */
    post: operations['SkipBpmnStartTimer'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/suspend': {
    /** Suspend a definition Role: admin. */
    post: operations['SuspendBpmnDefinition'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/xml': {
    /** Get the BPMN file of a definition Role: viewer. */
    get: operations['GetBpmnDefinitionXml'];
  };
  '/projects/{projectID}/bpmn/deployments': {
    /** List deployments Role: viewer. */
    get: operations['ListBpmnDeployments'];
    /** Deploy several files at once Role: editor. */
    post: operations['DeployBpmnBundle'];
  };
  '/projects/{projectID}/bpmn/deployments/{deploymentID}': {
    /** Get a deployment Role: viewer. */
    get: operations['GetBpmnDeployment'];
  };
  '/projects/{projectID}/bpmn/element-templates': {
    /** List element templates Role: viewer. */
    get: operations['ListElementTemplates'];
  };
  '/projects/{projectID}/bpmn/external-jobs': {
    /** List jobs Role: viewer. */
    get: operations['ListBpmnExternalJobs'];
  };
  '/projects/{projectID}/bpmn/external-jobs/batch/complete': {
    /** Complete up to 100 jobs Role: executor. */
    post: operations['CompleteBpmnExternalJobsBatch'];
  };
  '/projects/{projectID}/bpmn/external-jobs/batch/error': {
    /** Report the failure of up to 100 jobs Role: executor. */
    post: operations['ThrowBpmnExternalJobErrorsBatch'];
  };
  '/projects/{projectID}/bpmn/external-jobs/poll': {
    /** Poll for jobs of one or several task types Role: executor. */
    post: operations['PollBpmnExternalJobs'];
  };
  '/projects/{projectID}/bpmn/external-jobs/queue-depth': {
    /** Count pending jobs per task type Role: viewer. */
    get: operations['GetBpmnExternalJobsQueueDepth'];
  };
  '/projects/{projectID}/bpmn/external-jobs/workers': {
    /** List clients that poll for jobs Role: viewer. */
    get: operations['ListBpmnExternalJobWorkers'];
  };
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}': {
    /** Change a pending job Role: editor. */
    patch: operations['UpdateBpmnExternalJob'];
  };
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete': {
    /** Complete a job Role: executor. */
    post: operations['CompleteBpmnExternalJob'];
  };
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/error': {
    /** Report the failure of a job Role: executor. */
    post: operations['ThrowBpmnExternalJobError'];
  };
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/heartbeat': {
    /** Extend the lease on a job Role: executor. */
    post: operations['HeartbeatBpmnExternalJob'];
  };
  '/projects/{projectID}/bpmn/forms': {
    /** List deployed forms Role: viewer. */
    get: operations['ListBpmnForms'];
  };
  '/projects/{projectID}/bpmn/forms/{formID}': {
    /** Get a deployed form Role: viewer. */
    get: operations['GetBpmnForm'];
  };
  '/projects/{projectID}/bpmn/incidents': {
    /** List incidents Role: viewer. */
    get: operations['ListBpmnIncidents'];
  };
  '/projects/{projectID}/bpmn/incidents/groups': {
    /** List groups of similar incidents Role: viewer. */
    get: operations['ListBpmnIncidentGroups'];
  };
  '/projects/{projectID}/bpmn/instances': {
    /** List instances Role: viewer. */
    get: operations['ListBpmnInstances'];
    /** Start an instance of a process Role: executor. */
    post: operations['StartBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/import': {
    /** Import a running instance Role: admin. */
    post: operations['ImportBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/search': {
    /** Search instances by a FEEL predicate Role: viewer. */
    post: operations['SearchBpmnInstances'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}': {
    /** Get an instance Role: viewer. */
    get: operations['GetBpmnInstance'];
    /** Cancel an instance Role: editor. */
    delete: operations['CancelBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/trigger': {
    /** Start an activity of an ad-hoc sub-process Role: executor. */
    post: operations['TriggerBpmnAdHocNode'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/variables': {
    /** Set variables of an ad-hoc sub-process Role: executor. */
    post: operations['SetBpmnAdHocVariables'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/agents/{adHocNodeID}/turns': {
    /** List the turns of an agent Role: viewer. */
    get: operations['ListBpmnAgentTurns'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/children': {
    /** List the child instances of an instance Role: viewer. */
    get: operations['GetBpmnInstanceChildren'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/commands/{commandID}': {
    /** Get the outcome of a command Role: viewer. */
    get: operations['GetBpmnCommand'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/evaluate': {
    /** Evaluate an expression over the variables of an instance Role: viewer. */
    post: operations['EvaluateBpmnExpression'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/external-jobs': {
    /** List the jobs of an instance Role: viewer. */
    get: operations['ListBpmnInstanceExternalJobs'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/history': {
    /** List the activity history of an instance Role: viewer. */
    get: operations['ListBpmnInstanceHistory'];
    /** Erase an ended instance and its descendants Role: admin. */
    delete: operations['EraseBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/incidents': {
    /** List the incidents of an instance Role: viewer. */
    get: operations['ListBpmnInstanceIncidents'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve': {
    /** Resolve an incident and retry its activity Role: editor. */
    post: operations['ResolveBpmnIncident'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/migrate': {
    /** Migrate an instance to another version Role: editor. */
    post: operations['MigrateBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/migrate/validate': {
    /** Validate the migration of an instance Role: editor. */
    post: operations['ValidateBpmnInstanceMigration'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/modify': {
    /** Modify the tokens of an instance Role: admin. */
    post: operations['ModifyBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/redact': {
    /** Redact variables of an ended instance Role: admin. */
    post: operations['RedactBpmnVariables'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/replay': {
    /** Get an instance as of a fact Role: viewer. */
    get: operations['ReplayBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/replay/facts': {
    /** List the facts of an instance Role: viewer. */
    get: operations['ListBpmnInstanceFacts'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/restart': {
    /** Restart an ended instance Role: executor. */
    post: operations['RestartBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/result': {
    /** Get the result of an instance Role: viewer. */
    get: operations['GetBpmnInstanceResult'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/resume': {
    /** Resume an instance Role: admin. */
    post: operations['ResumeBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/state': {
    /** Get the state of an instance for the interpreter Role: editor. */
    get: operations['GetBpmnInstanceEngineState'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/suspend': {
    /** Suspend an instance and its descendants Role: admin. */
    post: operations['SuspendBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/suspension': {
    /** Get the suspensions and deferred events of an instance Role: viewer. */
    get: operations['GetBpmnInstanceSuspension'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/timeline': {
    /** List what people did to an instance Role: viewer. */
    get: operations['ListBpmnInstanceTimeline'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}': {
    /** Change when a timer is due Role: editor. */
    patch: operations['UpdateBpmnInstanceTimer'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}/fire': {
    /** Fire a timer now Role: editor. */
    post: operations['FireBpmnInstanceTimer'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/user-tasks': {
    /** List the user tasks of an instance Role: executor. */
    get: operations['ListBpmnInstanceUserTasks'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/variables': {
    /** Get the process variables of an instance Role: viewer. */
    get: operations['GetBpmnInstanceVariables'];
    /** Set process variables of an instance Role: editor. */
    put: operations['UpdateBpmnInstanceVariables'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/waits': {
    /** List what an instance waits for Role: viewer. */
    get: operations['ListBpmnInstanceWaits'];
  };
  '/projects/{projectID}/bpmn/messages': {
    /** Publish a message Role: executor. */
    post: operations['PublishBpmnMessage'];
  };
  '/projects/{projectID}/bpmn/migrations/{migrationID}': {
    /** Get the progress of a migration Role: editor. */
    get: operations['GetBpmnMigration'];
  };
  '/projects/{projectID}/bpmn/processes': {
    /** List processes Role: viewer. */
    get: operations['ListBpmnProcesses'];
  };
  '/projects/{projectID}/bpmn/processes/{processID}/settings': {
    /** Get the settings of a process Role: viewer. */
    get: operations['GetBpmnProcessSettings'];
    /** Replace the settings of a process Role: admin. */
    put: operations['PutBpmnProcessSettings'];
  };
  '/projects/{projectID}/bpmn/processes/{processID}/statistics': {
    /** Get statistics of a process Role: viewer. */
    get: operations['GetBpmnProcessStatistics'];
  };
  '/projects/{projectID}/bpmn/processes/{processID}/targets': {
    /** Get the duration targets of a process Role: viewer. */
    get: operations['GetBpmnTargets'];
    /** Replace the duration targets of a process Role: editor. */
    put: operations['PutBpmnTargets'];
  };
  '/projects/{projectID}/bpmn/processes/{processID}/versions': {
    /** List the versions of a process Role: viewer. */
    get: operations['ListBpmnProcessVersions'];
  };
  '/projects/{projectID}/bpmn/publications': {
    /** List messages and signals Role: viewer. */
    get: operations['ListBpmnPublications'];
  };
  '/projects/{projectID}/bpmn/publications/{publicationID}': {
    /** Get a message or signal Role: viewer. */
    get: operations['GetBpmnPublication'];
    /** Delete a kept message or signal Role: editor. */
    delete: operations['DeleteBpmnPublication'];
  };
  '/projects/{projectID}/bpmn/resources': {
    /** List resources Role: viewer. */
    get: operations['ListBpmnResources'];
    /** Create a BPMN resource Role: editor. */
    post: operations['CreateBpmnResource'];
  };
  '/projects/{projectID}/bpmn/resources/by-definitions-id/{definitionsID}': {
    /** List the revisions of a BPMN file Role: viewer. */
    get: operations['ListBpmnResourcesByDefinitionsID'];
  };
  '/projects/{projectID}/bpmn/resources/latest': {
    /** List the newest revision of each BPMN file Role: viewer. */
    get: operations['ListLatestBpmnResources'];
  };
  '/projects/{projectID}/bpmn/resources/{resourceID}': {
    /** Get a resource Role: viewer. */
    get: operations['GetBpmnResource'];
    /** Update a draft Role: editor. */
    put: operations['UpdateBpmnResource'];
    /** Delete a resource and its definitions Role: editor. */
    delete: operations['DeleteBpmnResource'];
  };
  '/projects/{projectID}/bpmn/resources/{resourceID}/backtests': {
    /** Compare a draft with history Role: editor. */
    post: operations['CreateBpmnDraftBacktest'];
  };
  '/projects/{projectID}/bpmn/resources/{resourceID}/deploy': {
    /** Deploy a resource Role: editor. */
    post: operations['DeployBpmnResource'];
  };
  '/projects/{projectID}/bpmn/resources/{resourceID}/test': {
    /** Start a test instance of a resource Role: editor. */
    post: operations['StartBpmnTestInstance'];
  };
  '/projects/{projectID}/bpmn/signals': {
    /** Publish a signal Role: executor. */
    post: operations['PublishBpmnSignal'];
  };
  '/projects/{projectID}/bpmn/statistics': {
    /** Get the numbers of a project Role: viewer. */
    get: operations['GetBpmnStatistics'];
  };
  '/projects/{projectID}/bpmn/statistics/trend': {
    /** Get the trend of a project Role: viewer. */
    get: operations['GetBpmnStatisticsTrend'];
  };
  '/projects/{projectID}/bpmn/subscriptions': {
    /** List open subscriptions Role: viewer. */
    get: operations['ListBpmnSubscriptions'];
  };
  '/projects/{projectID}/bpmn/user-tasks': {
    /** List user tasks Role: executor. */
    get: operations['ListBpmnUserTasks'];
  };
  '/projects/{projectID}/bpmn/user-tasks/me': {
    /** List the caller's open user tasks Role: viewer. */
    get: operations['ListBpmnUserTasksForCaller'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}': {
    /** Get a user task Role: viewer. */
    get: operations['GetBpmnUserTask'];
    /** Update an open user task Role: executor. */
    patch: operations['UpdateBpmnUserTaskAssignment'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/claim': {
    /** Claim a user task Role: viewer. */
    post: operations['ClaimBpmnUserTask'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/comments': {
    /** List the comments on a user task Role: viewer. */
    get: operations['ListBpmnUserTaskComments'];
    /** Comment on an open user task Role: viewer. */
    post: operations['AddBpmnUserTaskComment'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete': {
    /** Complete a user task Role: viewer. */
    post: operations['CompleteBpmnUserTask'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/error': {
    /** Fail a user task with a BPMN error Role: viewer. */
    post: operations['ThrowBpmnUserTaskError'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/form': {
    /** Get the form of a user task Role: viewer. */
    get: operations['GetBpmnUserTaskForm'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/unclaim': {
    /** Remove the assignee of a user task Role: viewer. */
    post: operations['UnclaimBpmnUserTask'];
  };
  '/projects/{projectID}/bpmn/validate': {
    /** Validate a BPMN file Role: editor. */
    post: operations['ValidateBpmnXml'];
  };
  '/projects/{projectID}/dmn/decisions': {
    /** List decisions Role: viewer. */
    get: operations['ListDecisions'];
  };
  '/projects/{projectID}/dmn/definitions': {
    /** List the versions of all DMN files Role: viewer. */
    get: operations['ListDefinitions'];
    /** Create a DMN definition version Role: editor. */
    post: operations['CreateDefinition'];
  };
  '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}': {
    /** Get a version of a DMN file by its own id Role: viewer. */
    get: operations['GetDefinitionByDefinitionsID'];
  };
  '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/evaluate': {
    /** Evaluate decisions of a DMN file by its own id Role: executor. */
    post: operations['EvaluateByDefinitionsID'];
  };
  '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/versions': {
    /** List the versions of a DMN file Role: viewer. */
    get: operations['ListDefinitionVersions'];
  };
  '/projects/{projectID}/dmn/definitions/latest': {
    /** List the newest version of each DMN file Role: viewer. */
    get: operations['ListLatestDefinitions'];
  };
  '/projects/{projectID}/dmn/definitions/{definitionID}': {
    /** Get a DMN definition version Role: viewer. */
    get: operations['GetDefinition'];
    /** Update a DMN definition version Role: editor. */
    put: operations['UpdateDefinition'];
    /** Delete a DMN definition version Role: editor. */
    delete: operations['DeleteDefinition'];
  };
  '/projects/{projectID}/dmn/definitions/{definitionID}/evaluate': {
    /** Evaluate decisions of a DMN definition version Role: executor. */
    post: operations['EvaluateStored'];
  };
  '/projects/{projectID}/dmn/definitions/{definitionID}/executions': {
    /** List evaluations of a DMN definition version Role: viewer. */
    get: operations['ListExecutions'];
  };
  '/projects/{projectID}/dmn/executions': {
    /** List evaluations of a project Role: viewer. */
    get: operations['ListProjectExecutions'];
  };
  '/projects/{projectID}/dmn/executions/{executionID}': {
    /** Get a recorded evaluation Role: viewer. */
    get: operations['GetExecution'];
  };
  '/projects/{projectID}/events': {
    /** Follow the events of a project Role: viewer. */
    get: operations['ListEvents'];
  };
  '/projects/{projectID}/events/subscriptions': {
    /** List event subscriptions Role: admin. */
    get: operations['ListEventSubscriptions'];
    /** Have events delivered to a URL Role: admin. */
    post: operations['CreateEventSubscription'];
  };
  '/projects/{projectID}/events/subscriptions/{subscriptionID}': {
    /** Get an event subscription Role: admin. */
    get: operations['GetEventSubscription'];
    /** Update an event subscription Role: admin. */
    patch: operations['UpdateEventSubscription'];
    /** Delete an event subscription Role: admin. */
    delete: operations['DeleteEventSubscription'];
  };
  '/projects/{projectID}/events/subscriptions/{subscriptionID}/dead-letters': {
    /** List events that could not be delivered Role: admin. */
    get: operations['ListDeadLetters'];
  };
  '/projects/{projectID}/events/subscriptions/{subscriptionID}/redeliver': {
    /** Deliver dead letters again Role: admin. */
    post: operations['RedeliverDeadLetters'];
  };
  '/projects/{projectID}/hooks': {
    /** List hooks Role: viewer. */
    get: operations['ListHooks'];
    /** Create a hook Role: editor. */
    post: operations['CreateHook'];
  };
  '/projects/{projectID}/hooks/{hookID}': {
    /** Get a hook Role: viewer. */
    get: operations['GetHook'];
    /** Replace a hook Role: editor. */
    put: operations['UpdateHook'];
    /** Delete a hook Role: editor. */
    delete: operations['DeleteHook'];
  };
  '/projects/{projectID}/hooks/{hookID}/deliveries': {
    /** List deliveries to a hook Role: editor. */
    get: operations['ListHookDeliveries'];
  };
  '/projects/{projectID}/hooks/{hookID}/deliveries/{deliveryID}/redeliver': {
    /** Deliver a failed delivery again Role: editor. */
    post: operations['RedeliverHookDelivery'];
  };
  '/projects/{projectID}/limits': {
    /** List the limits of task types Role: viewer. */
    get: operations['ListLimits'];
  };
  '/projects/{projectID}/limits/{taskType}': {
    /** Limit the jobs of a task type Role: admin. */
    put: operations['PutLimit'];
    /** Remove the limit of a task type Role: admin. */
    delete: operations['DeleteLimit'];
  };
  '/projects/{projectID}/mcp': {
    /** Send a message of the Model Context Protocol Role: viewer. */
    post: operations['CallMcp'];
  };
  '/projects/{projectID}/members': {
    /** List project members Role: admin. */
    get: operations['ListProjectMembers'];
  };
  '/projects/{projectID}/members/{subject}': {
    /** Set the role of a project member Role: admin. */
    put: operations['PutProjectMember'];
    /** Remove a project member Role: admin. */
    delete: operations['DeleteProjectMember'];
  };
  '/projects/{projectID}/secrets': {
    /** List the names of secrets Role: editor. */
    get: operations['ListSecrets'];
  };
  '/projects/{projectID}/settings': {
    /** Get project settings Role: admin. */
    get: operations['GetProjectSettings'];
    /** Update project settings Role: admin. */
    patch: operations['ChangeProjectSettings'];
  };
  '/projects/{projectID}/v2/deployments': {
    /** Deploy files as Camunda Modeler sends them Role: editor. */
    post: operations['DeployFromModeler'];
  };
  '/projects/{projectID}/v2/topology': {
    /** Tell Camunda Modeler that it can connect Role: viewer. */
    get: operations['GetCamundaTopology'];
  };
  '/ready': {
    /** Check readiness Role: public. */
    get: operations['GetReadiness'];
  };
  '/schemas/scenario.json': {
    /** Get the JSON Schema of scenarios Role: public. */
    get: operations['GetScenarioSchema'];
  };
  '/version': {
    /** Get the version of the host Role: public. */
    get: operations['GetVersion'];
  };
}

export interface operations {
  /** List the audit log of the organization Role: system-admin. */
  ListOrganizationAuditEntries: {
    parameters: {
      query?: {
        projectID?: string;
        actor?: string;
        operation?: string;
        workflowID?: string;
        businessId?: string;
        definitionID?: string;
        executionKey?: string;
        batchID?: string;
        outcome?: string;
        since?: string;
        until?: string;
        sort?: 'time';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['OrganizationAuditEntryPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Evaluate decisions of an unsaved DMN file Role: authenticated. */
  EvaluateDesign: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateDesignRequest'];
      };
    };
    responses: {
      /** Results by decision name */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': { [name: string]: components['schemas']['EvaluationResult'] };
        };
      };
      400: Refusal;
      401: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Evaluate an unsaved DMN file with several inputs Role: authenticated. */
  EvaluateDesignBatch: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BatchEvaluateDesignRequest'];
      };
    };
    responses: {
      /** Results in the order of the inputs */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BatchEvaluationResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the API documentation page Role: public. */
  GetDocs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** HTML page */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'text/html; charset=utf-8': string;
        };
      };
      400: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Check liveness Role: public. */
  GetHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Process is alive */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
      400: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the OpenAPI document Role: public. */
  GetOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** OpenAPI document */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': { [name: string]: unknown };
        };
      };
      400: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the caller's projects Role: authenticated. */
  ListProjects: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** All projects of the caller, by name */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ProjectOfCaller'][];
        };
      };
      400: Refusal;
      401: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Create a project Role: org-admin. */
  CreateProject: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateProjectRequest'];
      };
    };
    responses: {
      /** Project */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a project Role: viewer. */
  GetProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Project */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Project'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Delete a project Role: admin. */
  DeleteProject: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Project deleted */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the audit log Role: admin. */
  ListAuditEntries: {
    parameters: {
      query?: {
        actor?: string;
        operation?: string;
        workflowID?: string;
        businessId?: string;
        definitionID?: string;
        executionKey?: string;
        batchID?: string;
        outcome?: string;
        since?: string;
        until?: string;
        sort?: 'time';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['AuditEntryPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List backtests Role: viewer. */
  ListBpmnBacktests: {
    parameters: {
      query?: {
        processId?: string;
        status?: string;
        definitionID?: string;
        resourceID?: string;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBacktestPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a backtest Role: viewer. */
  GetBpmnBacktest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        backtestID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Backtest */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBacktest'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Cancel a backtest Role: editor. */
  CancelBpmnBacktest: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        backtestID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CancelBpmnBacktestRequest'];
      };
    };
    responses: {
      /** Backtest canceled */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the instances of a backtest Role: viewer. */
  ListBpmnBacktestItems: {
    parameters: {
      query?: {
        outcome?: string;
        nodeID?: string;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        backtestID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of instances with their outcomes */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBacktestItemPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Compare the runs of one instance of a backtest Role: viewer. */
  GetBpmnBacktestItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        backtestID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Outcome and both runs */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBacktestRuns'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the run of the version for the interpreter Role: editor. */
  GetBpmnBacktestItemPositions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        backtestID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** States and graph */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBacktestPositions'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List batches Role: viewer. */
  ListBpmnBatches: {
    parameters: {
      query?: {
        operation?: string;
        status?: string;
        createdBy?: string;
        createdAfter?: string;
        createdBefore?: string;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBatchPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Create a batch operation Role: editor. */
  CreateBpmnBatch: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateBpmnBatchRequest'];
      };
    };
    responses: {
      /** Targets that the batch would have */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['PreviewedBpmnBatch'];
        };
      };
      /** Batch accepted */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['AcceptedBpmnBatch'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the progress of a batch Role: viewer. */
  GetBpmnBatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        batchID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Batch */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBatch'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Cancel a batch Role: editor. */
  CancelBpmnBatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        batchID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ControlBpmnBatchRequest'];
      };
    };
    responses: {
      /** Batch canceled */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the items of a batch Role: viewer. */
  ListBpmnBatchItems: {
    parameters: {
      query?: {
        status?: string;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        batchID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of items */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnBatchItemPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Pause a batch Role: editor. */
  PauseBpmnBatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        batchID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ControlBpmnBatchRequest'];
      };
    };
    responses: {
      /** Batch paused */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Resume a paused batch Role: editor. */
  ResumeBpmnBatch: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        batchID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ControlBpmnBatchRequest'];
      };
    };
    responses: {
      /** Batch resumed */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Evaluate conditional start events Role: executor. */
  EvaluateBpmnConditionals: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateBpmnConditionalsRequest'];
      };
    };
    responses: {
      /** Started instances; each gets the variables of the request */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['EvaluateBpmnConditionalsResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Convert a BPMN file of another engine Role: editor. */
  ConvertBpmnModel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ValidateBpmnResourceRequest'];
      };
    };
    responses: {
      /** The converted file with a report */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnConversion'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a definition Role: viewer. */
  GetBpmnDefinition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Definition */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnDefinition'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Compare a definition with history Role: editor. */
  CreateBpmnBacktest: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateBpmnBacktestRequest'];
      };
    };
    responses: {
      /** Backtest accepted */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['AcceptedBpmnBacktest'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the start form of a definition Role: viewer. */
  GetBpmnStartForm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Form */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnForm'];
        };
      };
      /** No form */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Migrate the running instances of a definition Role: editor. */
  MigrateBpmnInstances: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MigrateBpmnInstancesRequest'];
      };
    };
    responses: {
      /** Migration started */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['StartedMigration'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Validate the migration of a definition's instances Role: editor. */
  ValidateBpmnInstancesMigration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MigrateBpmnInstancesRequest'];
      };
    };
    responses: {
      /** Issues; empty if valid */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['MigrationOfInstancesValidationResult'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Count instances and open incidents per node Role: viewer. */
  GetBpmnDefinitionNodes: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Counts by node id */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnDefinitionNodes'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Resume a definition Role: admin. */
  ResumeBpmnDefinition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ResumeBpmnDefinitionRequest'];
      };
    };
    responses: {
      /** Definition suspension removed */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Start an instance at a start timer now Role: editor. */
  RunBpmnStartTimer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
        nodeID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RunBpmnStartTimerRequest'];
      };
    };
    responses: {
      /** Started */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Skip the next tick of a start timer Role: editor. */
  SkipBpmnStartTimer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
        nodeID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['SkipBpmnStartTimerRequest'];
      };
    };
    responses: {
      /** Skipped */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Suspend a definition Role: admin. */
  SuspendBpmnDefinition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['SuspendBpmnDefinitionRequest'];
      };
    };
    responses: {
      /** Suspended or scheduled */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the BPMN file of a definition Role: viewer. */
  GetBpmnDefinitionXml: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** BPMN file */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/xml; charset=utf-8': string;
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List deployments Role: viewer. */
  ListBpmnDeployments: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnDeploymentPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Deploy several files at once Role: editor. */
  DeployBpmnBundle: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeployBpmnBundleRequest'];
      };
    };
    responses: {
      /** Result of a dry run, or of a bundle without anything new */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnDeployment'];
        };
      };
      /** Deployment */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnDeployment'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a deployment Role: viewer. */
  GetBpmnDeployment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        deploymentID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Deployment */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnDeployment'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List element templates Role: viewer. */
  ListElementTemplates: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of element templates */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ElementTemplatePaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List jobs Role: viewer. */
  ListBpmnExternalJobs: {
    parameters: {
      query?: {
        taskType?: string;
        status?: string;
        workflowID?: string;
        businessId?: string;
        definitionID?: string;
        processId?: string;
        nodeID?: string;
        lockedBy?: string;
        errorCode?: string;
        createdAfter?: string;
        createdBefore?: string;
        completedAfter?: string;
        completedBefore?: string;
        isTest?: boolean;
        sort?: 'createdAt' | 'completedAt' | 'priority';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnExternalJobPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Complete up to 100 jobs Role: executor. */
  CompleteBpmnExternalJobsBatch: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          clientID?: string;
          items: {
            executionKey: string;
            workflowID: string;
            leaseToken?: string;
            variables?: { [name: string]: unknown };
            result?: components['schemas']['BpmnJobResult'];
          }[];
        };
      };
    };
    responses: {
      /** One result per item, in order */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ExternalJobBatchResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Report the failure of up to 100 jobs Role: executor. */
  ThrowBpmnExternalJobErrorsBatch: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          clientID?: string;
          retryable?: boolean;
          items: {
            executionKey: string;
            workflowID: string;
            leaseToken?: string;
            variables?: { [name: string]: unknown };
            errorCode: string;
          }[];
        };
      };
    };
    responses: {
      /** One result per item, in order */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ExternalJobBatchResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Poll for jobs of one or several task types Role: executor. */
  PollBpmnExternalJobs: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PollBpmnJobRequest'];
      };
    };
    responses: {
      /** Leased jobs; the leases last until `lockExpiresAt` */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ExternalJob'][];
        };
      };
      /** No job became available in time */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Count pending jobs per task type Role: viewer. */
  GetBpmnExternalJobsQueueDepth: {
    parameters: {
      query?: {
        createdAfter?: string;
        isTest?: boolean;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Task types with pending jobs, by name */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ExternalJobQueueDepthResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List clients that poll for jobs Role: viewer. */
  ListBpmnExternalJobWorkers: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of clients */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ExternalJobWorkersPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Change a pending job Role: editor. */
  UpdateBpmnExternalJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateBpmnExternalJobRequest'];
      };
    };
    responses: {
      /** Changed job */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ExternalJob'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Complete a job Role: executor. */
  CompleteBpmnExternalJob: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          workflowID: string;
          clientID?: string;
          leaseToken?: string;
          variables?: { [name: string]: unknown };
          result?: components['schemas']['BpmnJobResult'];
          reason?: string;
          poll?: components['schemas']['PollBpmnNextJobsRequest'];
        };
      };
    };
    responses: {
      /** Result applied */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnJobEnd'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnJobEnd'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Report the failure of a job Role: executor. */
  ThrowBpmnExternalJobError: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          errorCode: string;
          errorMessage?: string;
          reason?: string;
          clientID?: string;
          leaseToken?: string;
          retryable?: boolean;
          retryBackoff?: string;
          variables?: { [name: string]: unknown };
          poll?: components['schemas']['PollBpmnNextJobsRequest'];
        };
      };
    };
    responses: {
      /** Retry scheduled, or error applied */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            status: 'REQUEUED';
            retries: number;
            jobs?: components['schemas']['ExternalJob'][];
          } | components['schemas']['BpmnJobEnd'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnJobEnd'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Extend the lease on a job Role: executor. */
  HeartbeatBpmnExternalJob: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          clientID: string;
          leaseToken?: string;
          lockDuration?: string;
        };
      };
    };
    responses: {
      /** New expiry */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            lockExpiresAt: string;
          };
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List deployed forms Role: viewer. */
  ListBpmnForms: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of forms */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnFormPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a deployed form Role: viewer. */
  GetBpmnForm: {
    parameters: {
      query?: {
        version?: number;
      };
      header?: never;
      path: {
        projectID: string;
        formID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Form */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnForm'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List incidents Role: viewer. */
  ListBpmnIncidents: {
    parameters: {
      query?: {
        definitionID?: string;
        processId?: string;
        workflowID?: string;
        includeChildren?: boolean;
        status?: 'open' | 'resolved';
        nodeID?: string;
        errorType?: string;
        errorCode?: string;
        messageContains?: string;
        groupID?: string;
        since?: string;
        until?: string;
        isTest?: boolean;
        sort?: 'raisedAt';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnIncidentRecordPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List groups of similar incidents Role: viewer. */
  ListBpmnIncidentGroups: {
    parameters: {
      query?: {
        definitionID?: string;
        processId?: string;
        workflowID?: string;
        includeChildren?: boolean;
        status?: 'open' | 'resolved';
        nodeID?: string;
        errorType?: string;
        errorCode?: string;
        messageContains?: string;
        groupID?: string;
        since?: string;
        until?: string;
        isTest?: boolean;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of groups */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnIncidentGroupPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List instances Role: viewer. */
  ListBpmnInstances: {
    parameters: {
      query?: {
        definitionID?: string;
        processId?: string;
        status?: string;
        hasIncident?: boolean;
        suspended?: boolean;
        createdAfter?: string;
        createdBefore?: string;
        completedAfter?: string;
        completedBefore?: string;
        workflowIDPrefix?: string;
        businessId?: string;
        businessIdPrefix?: string;
        failureReasonContains?: string;
        startedBy?: string;
        root?: boolean;
        activeNodeID?: string;
        parentWorkflowID?: string;
        importedFrom?: string;
        importedFromID?: string;
        restartedFrom?: string;
        overTarget?: boolean;
        isTest?: boolean;
        sort?: 'createdAt' | 'completedAt' | 'businessId';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstancePaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Start an instance of a process Role: executor. */
  StartBpmnInstance: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StartBpmnInstanceRequest'];
      };
    };
    responses: {
      /** Instance started */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['StartedBpmnInstance'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Import a running instance Role: admin. */
  ImportBpmnInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportBpmnInstanceRequest'];
      };
    };
    responses: {
      /** Result of a dry run, or the instance that was imported before */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnImportResult'];
        };
      };
      /** Instance imported */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnImportResult'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Search instances by a FEEL predicate Role: viewer. */
  SearchBpmnInstances: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          definitionID: string;
          predicate: string;
          status?: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
          hasIncident?: boolean;
          businessId?: string;
          createdAfter?: string;
          createdBefore?: string;
          limit?: number;
          cursor?: string;
          isTest?: boolean;
        };
      };
    };
    responses: {
      /** Page of matches, with scan statistics */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceSearchResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get an instance Role: viewer. */
  GetBpmnInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Instance */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceState'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Cancel an instance Role: editor. */
  CancelBpmnInstance: {
    parameters: {
      query?: {
        reason?: string;
        onlyAsImported?: boolean;
      };
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Canceled, with all descendants */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      412: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Start an activity of an ad-hoc sub-process Role: executor. */
  TriggerBpmnAdHocNode: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
        adHocNodeID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TriggerBpmnAdHocNodeRequest'];
      };
    };
    responses: {
      /** Activity started */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Set variables of an ad-hoc sub-process Role: executor. */
  SetBpmnAdHocVariables: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
        adHocNodeID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['SetBpmnAdHocVariablesRequest'];
      };
    };
    responses: {
      /** Variables set */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the turns of an agent Role: viewer. */
  ListBpmnAgentTurns: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
        adHocNodeID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of turns, and the totals of all turns of the node */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnAgentTurnPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the child instances of an instance Role: viewer. */
  GetBpmnInstanceChildren: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** All child instances */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceChildrenResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the outcome of a command Role: viewer. */
  GetBpmnCommand: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
        commandID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Command */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Evaluate an expression over the variables of an instance Role: viewer. */
  EvaluateBpmnExpression: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateBpmnExpressionRequest'];
      };
    };
    responses: {
      /** Value, or why there is none */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['EvaluatedBpmnExpression'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the jobs of an instance Role: viewer. */
  ListBpmnInstanceExternalJobs: {
    parameters: {
      query?: {
        status?: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of jobs */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnExternalJobPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the activity history of an instance Role: viewer. */
  ListBpmnInstanceHistory: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of entries */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnActivityStatePaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Erase an ended instance and its descendants Role: admin. */
  EraseBpmnInstance: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Erased */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the incidents of an instance Role: viewer. */
  ListBpmnInstanceIncidents: {
    parameters: {
      query?: {
        status?: 'open' | 'resolved';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of incidents */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnIncidentRecordPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Resolve an incident and retry its activity Role: editor. */
  ResolveBpmnIncident: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
        incidentID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ResolveBpmnIncidentRequest'];
      };
    };
    responses: {
      /** Retry started */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Migrate an instance to another version Role: editor. */
  MigrateBpmnInstance: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MigrateBpmnInstanceRequest'];
      };
    };
    responses: {
      /** Migrated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Validate the migration of an instance Role: editor. */
  ValidateBpmnInstanceMigration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MigrateBpmnInstanceRequest'];
      };
    };
    responses: {
      /** Issues; empty if valid */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['MigrationValidationResult'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Modify the tokens of an instance Role: admin. */
  ModifyBpmnInstance: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ModifyBpmnInstanceRequest'];
      };
    };
    responses: {
      /** Modification applied */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Redact variables of an ended instance Role: admin. */
  RedactBpmnVariables: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RedactBpmnVariablesRequest'];
      };
    };
    responses: {
      /** Redacted */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get an instance as of a fact Role: viewer. */
  ReplayBpmnInstance: {
    parameters: {
      query?: {
        at?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Instance after fact number `at`; 0 is before the first */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceReplay'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the facts of an instance Role: viewer. */
  ListBpmnInstanceFacts: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of facts */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnFactPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Restart an ended instance Role: executor. */
  RestartBpmnInstance: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RestartBpmnInstanceRequest'];
      };
    };
    responses: {
      /** New instance started */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['StartedBpmnInstance'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the result of an instance Role: viewer. */
  GetBpmnInstanceResult: {
    parameters: {
      query?: {
        fetchVariables?: string;
      };
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Result, or the present state */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['InstanceResult'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Resume an instance Role: admin. */
  ResumeBpmnInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['ResumeBpmnInstanceRequest'];
      };
    };
    responses: {
      /** Instance suspension removed */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the state of an instance for the interpreter Role: editor. */
  GetBpmnInstanceEngineState: {
    parameters: {
      query?: {
        at?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** State and graph */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceEngineState'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Suspend an instance and its descendants Role: admin. */
  SuspendBpmnInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['SuspendBpmnInstanceRequest'];
      };
    };
    responses: {
      /** Suspended */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the suspensions and deferred events of an instance Role: viewer. */
  GetBpmnInstanceSuspension: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Suspensions and deferred events; only an empty list if the instance is not paused */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceSuspension'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List what people did to an instance Role: viewer. */
  ListBpmnInstanceTimeline: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of actions */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnTimelineEntryPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Change when a timer is due Role: editor. */
  UpdateBpmnInstanceTimer: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
        timerID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateBpmnInstanceTimerRequest'];
      };
    };
    responses: {
      /** Changed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceWait'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Fire a timer now Role: editor. */
  FireBpmnInstanceTimer: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
        timerID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['FireBpmnInstanceTimerRequest'];
      };
    };
    responses: {
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Fired */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the user tasks of an instance Role: executor. */
  ListBpmnInstanceUserTasks: {
    parameters: {
      query?: {
        businessId?: string;
        definitionID?: string;
        processId?: string;
        nodeID?: string;
        nameContains?: string;
        unassigned?: boolean;
        createdAfter?: string;
        createdBefore?: string;
        completedAfter?: string;
        completedBefore?: string;
        dueAfter?: string;
        dueBefore?: string;
        followUpBefore?: string;
        status?: string;
        assignee?: string;
        candidateUser?: string;
        candidateGroup?: string;
        sort?: 'createdAt' | 'dueDate' | 'priority' | 'completedAt';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of tasks */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnUserTaskPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the process variables of an instance Role: viewer. */
  GetBpmnInstanceVariables: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Variables */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceVariables'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Set process variables of an instance Role: editor. */
  UpdateBpmnInstanceVariables: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          variables: { [name: string]: unknown };
          reason?: string;
        };
      };
    };
    responses: {
      /** Variables set */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List what an instance waits for Role: viewer. */
  ListBpmnInstanceWaits: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        workflowID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of waits */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnInstanceWaitPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Publish a message Role: executor. */
  PublishBpmnMessage: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PublishBpmnMessageRequest'];
      };
    };
    responses: {
      /** Correlated or buffered */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublication'];
        };
      };
      /** Accepted; delivery is still pending */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublication'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the progress of a migration Role: editor. */
  GetBpmnMigration: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        migrationID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Progress, with a page of instances */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['MigrationOfInstances'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List processes Role: viewer. */
  ListBpmnProcesses: {
    parameters: {
      query?: {
        q?: string;
        createdAfter?: string;
        suspended?: boolean;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnProcessSummaryPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the settings of a process Role: viewer. */
  GetBpmnProcessSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        processID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Settings of all versions */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnProcessSettings'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Replace the settings of a process Role: admin. */
  PutBpmnProcessSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        processID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PutBpmnProcessSettingsRequest'];
      };
    };
    responses: {
      /** Settings replaced */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnProcessSettings'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get statistics of a process Role: viewer. */
  GetBpmnProcessStatistics: {
    parameters: {
      query?: {
        version?: number;
        since?: string;
        until?: string;
        step?: 'hour' | 'day';
      };
      header?: never;
      path: {
        projectID: string;
        processID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Statistics */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnProcessStatistics'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the duration targets of a process Role: viewer. */
  GetBpmnTargets: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        processID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Targets */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnTargets'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Replace the duration targets of a process Role: editor. */
  PutBpmnTargets: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        processID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PutBpmnTargetsRequest'];
      };
    };
    responses: {
      /** Targets replaced */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnTargets'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the versions of a process Role: viewer. */
  ListBpmnProcessVersions: {
    parameters: {
      query?: {
        createdAfter?: string;
        suspended?: boolean;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        processID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of versions; empty if the process does not exist */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnProcessVersionPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List messages and signals Role: viewer. */
  ListBpmnPublications: {
    parameters: {
      query?: {
        type?: 'message' | 'signal';
        name?: string;
        state?: string;
        publishedAfter?: string;
        publishedBefore?: string;
        isTest?: boolean;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublicationPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a message or signal Role: viewer. */
  GetBpmnPublication: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        publicationID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Publication */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublication'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Delete a kept message or signal Role: editor. */
  DeleteBpmnPublication: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        publicationID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Publication deleted */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List resources Role: viewer. */
  ListBpmnResources: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
        isDeployed?: boolean;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of resources */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnResourcePaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Create a BPMN resource Role: editor. */
  CreateBpmnResource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateBpmnResourceRequest'];
      };
    };
    responses: {
      /** Draft */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnResourceDetail'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the revisions of a BPMN file Role: viewer. */
  ListBpmnResourcesByDefinitionsID: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        definitionsID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of resources; empty if the file does not exist */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnResourcePaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the newest revision of each BPMN file Role: viewer. */
  ListLatestBpmnResources: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of files */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnResourceSummaryPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a resource Role: viewer. */
  GetBpmnResource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        resourceID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Resource */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnResourceDetail'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Update a draft Role: editor. */
  UpdateBpmnResource: {
    parameters: {
      query?: never;
      header?: {
        /** Entity tags: the request changes nothing and is 412 unless one of them is the current one. */
        'If-Match'?: string;
      };
      path: {
        projectID: string;
        resourceID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateBpmnResourceRequest'];
      };
    };
    responses: {
      /** Draft */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnResourceDetail'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      412: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Delete a resource and its definitions Role: editor. */
  DeleteBpmnResource: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        resourceID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Resource deleted */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Compare a draft with history Role: editor. */
  CreateBpmnDraftBacktest: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
        resourceID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['CreateBpmnDraftBacktestRequest'];
      };
    };
    responses: {
      /** Backtest accepted */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['AcceptedBpmnBacktest'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Deploy a resource Role: editor. */
  DeployBpmnResource: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        resourceID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['DeployBpmnResourceRequest'];
      };
    };
    responses: {
      /** Deployed; `GET` the resource for its definitions */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Start a test instance of a resource Role: editor. */
  StartBpmnTestInstance: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
        resourceID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['StartBpmnTestInstanceRequest'];
      };
    };
    responses: {
      /** Instance started */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['StartedBpmnInstance'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Publish a signal Role: executor. */
  PublishBpmnSignal: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
        /** Kept for 24 hours. The same key with the same request returns the first response; with a different request, 409. */
        'Idempotency-Key'?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PublishBpmnSignalRequest'];
      };
    };
    responses: {
      /** Delivered to every open subscription */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublication'];
        };
      };
      /** Accepted; some deliveries are still pending */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublication'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the numbers of a project Role: viewer. */
  GetBpmnStatistics: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Numbers of the project */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnStatistics'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the trend of a project Role: viewer. */
  GetBpmnStatisticsTrend: {
    parameters: {
      query?: {
        since?: string;
        until?: string;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Trend */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnStatisticsTrend'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List open subscriptions Role: viewer. */
  ListBpmnSubscriptions: {
    parameters: {
      query?: {
        type?: 'message' | 'signal';
        name?: string;
        workflowID?: string;
        processId?: string;
        isTest?: boolean;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnSubscriptionPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List user tasks Role: executor. */
  ListBpmnUserTasks: {
    parameters: {
      query?: {
        workflowID?: string;
        businessId?: string;
        definitionID?: string;
        processId?: string;
        nodeID?: string;
        nameContains?: string;
        unassigned?: boolean;
        createdAfter?: string;
        createdBefore?: string;
        completedAfter?: string;
        completedBefore?: string;
        dueAfter?: string;
        dueBefore?: string;
        followUpBefore?: string;
        status?: string;
        assignee?: string;
        candidateUser?: string;
        candidateGroup?: string;
        isTest?: boolean;
        sort?: 'createdAt' | 'dueDate' | 'priority' | 'completedAt';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnUserTaskPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the caller's open user tasks Role: viewer. */
  ListBpmnUserTasksForCaller: {
    parameters: {
      query?: {
        workflowID?: string;
        businessId?: string;
        definitionID?: string;
        processId?: string;
        nodeID?: string;
        nameContains?: string;
        unassigned?: boolean;
        createdAfter?: string;
        createdBefore?: string;
        completedAfter?: string;
        completedBefore?: string;
        dueAfter?: string;
        dueBefore?: string;
        followUpBefore?: string;
        assignee?: string;
        isTest?: boolean;
        sort?: 'createdAt' | 'dueDate' | 'priority' | 'completedAt';
        order?: 'asc' | 'desc';
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnUserTaskPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a user task Role: viewer. */
  GetBpmnUserTask: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Task */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['UserTask'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Update an open user task Role: executor. */
  UpdateBpmnUserTaskAssignment: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateUserTaskAssignmentRequest'];
      };
    };
    responses: {
      /** Updated task */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['UserTask'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Claim a user task Role: viewer. */
  ClaimBpmnUserTask: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Claimed task */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['UserTask'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the comments on a user task Role: viewer. */
  ListBpmnUserTaskComments: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of comments */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['UserTaskCommentPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Comment on an open user task Role: viewer. */
  AddBpmnUserTaskComment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          text: string;
        };
      };
    };
    responses: {
      /** New comment */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['UserTaskComment'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Complete a user task Role: viewer. */
  CompleteBpmnUserTask: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          variables?: { [name: string]: unknown };
          expectedAssignee?: string | null;
          reason?: string;
        };
      };
    };
    responses: {
      /** Result applied */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Fail a user task with a BPMN error Role: viewer. */
  ThrowBpmnUserTaskError: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          errorCode: string;
          variables?: { [name: string]: unknown };
          expectedAssignee?: string | null;
          reason?: string;
        };
      };
    };
    responses: {
      /** Error applied */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the form of a user task Role: viewer. */
  GetBpmnUserTaskForm: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Form */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnForm'];
        };
      };
      /** No form */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Remove the assignee of a user task Role: viewer. */
  UnclaimBpmnUserTask: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
      };
      path: {
        projectID: string;
        executionKey: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Task without an assignee */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['UserTask'];
        };
      };
      /** Accepted; poll `GET .../commands/{commandID}` for the outcome */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Validate a BPMN file Role: editor. */
  ValidateBpmnXml: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ValidateBpmnResourceRequest'];
      };
    };
    responses: {
      /** Problems; deployable if none has severity error */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnValidateResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List decisions Role: viewer. */
  ListDecisions: {
    parameters: {
      query?: {
        q?: string;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['PaginatedDecisionsResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the versions of all DMN files Role: viewer. */
  ListDefinitions: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of versions */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['PaginatedDefinitionsResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Create a DMN definition version Role: editor. */
  CreateDefinition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateDefinitionRequest'];
      };
    };
    responses: {
      /** Created version */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['DefinitionDetail'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a version of a DMN file by its own id Role: viewer. */
  GetDefinitionByDefinitionsID: {
    parameters: {
      query?: {
        version?: number;
      };
      header?: never;
      path: {
        projectID: string;
        definitionsID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Version with its file */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Definition'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Evaluate decisions of a DMN file by its own id Role: executor. */
  EvaluateByDefinitionsID: {
    parameters: {
      query?: {
        version?: number;
      };
      header?: never;
      path: {
        projectID: string;
        definitionsID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateStoredRequest'];
      };
    };
    responses: {
      /** Results by decision name */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': { [name: string]: components['schemas']['EvaluationResult'] };
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the versions of a DMN file Role: viewer. */
  ListDefinitionVersions: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        definitionsID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of versions */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['PaginatedDefinitionsResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the newest version of each DMN file Role: viewer. */
  ListLatestDefinitions: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of versions */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['PaginatedDefinitionsResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a DMN definition version Role: viewer. */
  GetDefinition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Version with its file */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Definition'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Update a DMN definition version Role: editor. */
  UpdateDefinition: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateDefinitionRequest'];
      };
    };
    responses: {
      /** Updated version */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['DefinitionDetail'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Delete a DMN definition version Role: editor. */
  DeleteDefinition: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Version deleted */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Evaluate decisions of a DMN definition version Role: executor. */
  EvaluateStored: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EvaluateStoredRequest'];
      };
    };
    responses: {
      /** Results by decision name */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': { [name: string]: components['schemas']['EvaluationResult'] };
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List evaluations of a DMN definition version Role: viewer. */
  ListExecutions: {
    parameters: {
      query?: {
        definitionsID?: string;
        startDate?: string;
        businessId?: string;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        definitionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of evaluations */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['PaginatedExecutionsResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List evaluations of a project Role: viewer. */
  ListProjectExecutions: {
    parameters: {
      query?: {
        definitionsID?: string;
        businessId?: string;
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of the list */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['PaginatedExecutionsResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a recorded evaluation Role: viewer. */
  GetExecution: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        executionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Evaluation with its inputs and results */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Execution'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Follow the events of a project Role: viewer. */
  ListEvents: {
    parameters: {
      query?: {
        after?: string;
        types?: string;
        processId?: string;
        limit?: number;
      };
      header?: {
        /** `wait=N`: seconds to wait, at most 60 (default 5 for the effect of a command, 0 for a result or for events). A caller with too many waiting requests gets 429. */
        Prefer?: string;
        /** The id of the last event of the stream that was read; wins over `after`. */
        'Last-Event-ID'?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Events after the position */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['EventsPart'];
          'text/event-stream': components['schemas']['CloudEvent'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List event subscriptions Role: admin. */
  ListEventSubscriptions: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of subscriptions */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['EventSubscriptionPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Have events delivered to a URL Role: admin. */
  CreateEventSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateEventSubscriptionRequest'];
      };
    };
    responses: {
      /** New subscription */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['EventSubscription'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get an event subscription Role: admin. */
  GetEventSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        subscriptionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Subscription */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['EventSubscription'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Update an event subscription Role: admin. */
  UpdateEventSubscription: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        subscriptionID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UpdateEventSubscriptionRequest'];
      };
    };
    responses: {
      /** Updated subscription */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['EventSubscription'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Delete an event subscription Role: admin. */
  DeleteEventSubscription: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        subscriptionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Subscription deleted */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List events that could not be delivered Role: admin. */
  ListDeadLetters: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        subscriptionID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of dead letters */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['DeadLetterPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Deliver dead letters again Role: admin. */
  RedeliverDeadLetters: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        subscriptionID: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RedeliverDeadLettersRequest'];
      };
    };
    responses: {
      /** Dead letters queued */
      202: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List hooks Role: viewer. */
  ListHooks: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of hooks, in the order of creation */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['HooksPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Create a hook Role: editor. */
  CreateHook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['HookRequest'];
      };
    };
    responses: {
      /** Hook */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Hook'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get a hook Role: viewer. */
  GetHook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        hookID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Hook */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Hook'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Replace a hook Role: editor. */
  UpdateHook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        hookID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['HookRequest'];
      };
    };
    responses: {
      /** Hook */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Hook'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Delete a hook Role: editor. */
  DeleteHook: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        hookID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Hook deleted */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List deliveries to a hook Role: editor. */
  ListHookDeliveries: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
        hookID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of deliveries, newest first */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['HookDeliveriesPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Deliver a failed delivery again Role: editor. */
  RedeliverHookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        hookID: string;
        deliveryID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Delivery with its new outcome */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['HookDelivery'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the limits of task types Role: viewer. */
  ListLimits: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of limits, by task type */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['LimitPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Limit the jobs of a task type Role: admin. */
  PutLimit: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        taskType: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PutLimitRequest'];
      };
    };
    responses: {
      /** Limit replaced */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Limit'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Remove the limit of a task type Role: admin. */
  DeleteLimit: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        taskType: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** No limit */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Send a message of the Model Context Protocol Role: viewer. */
  CallMcp: {
    parameters: {
      query?: {
        write?: 'safe' | 'all';
      };
      header?: {
        /** The version of the Model Context Protocol that the client speaks. */
        'MCP-Protocol-Version'?: string;
        /** The method of the message (needed from 2026-07-28). */
        'Mcp-Method'?: string;
        /** The tool of the message (needed from 2026-07-28). */
        'Mcp-Name'?: string;
        /** The origin of a page that calls. One that `CORS_ORIGINS` does not name is 403. */
        Origin?: string;
      };
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['McpMessage'];
      };
    };
    responses: {
      /** Answer to the message */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['McpAnswer'];
        };
      };
      /** Notification accepted */
      202: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      /** The version or a header of the message is not supported. BAD_REQUEST: The request is not valid. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['McpAnswer'];
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      401: Refusal;
      /** The page that calls has an origin that `CORS_ORIGINS` does not name */
      403: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['McpAnswer'];
        };
      };
      /** The method of the message does not exist. NOT_FOUND: Not found. */
      404: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['McpAnswer'];
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List project members Role: admin. */
  ListProjectMembers: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of members, by subject */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ProjectMemberPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Set the role of a project member Role: admin. */
  PutProjectMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        subject: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeProjectMemberRequest'];
      };
    };
    responses: {
      /** Member */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ProjectMember'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Remove a project member Role: admin. */
  DeleteProjectMember: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: never;
      path: {
        projectID: string;
        subject: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Membership removed */
      204: {
        headers: { [name: string]: unknown };
        content?: never;
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** List the names of secrets Role: editor. */
  ListSecrets: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Page of secrets, by name */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['SecretsPaginatedResponse'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get project settings Role: admin. */
  GetProjectSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Settings */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ProjectSettings'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Update project settings Role: admin. */
  ChangeProjectSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeProjectSettingsRequest'];
      };
    };
    responses: {
      /** Current settings */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ProjectSettings'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Deploy files as Camunda Modeler sends them Role: editor. */
  DeployFromModeler: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': components['schemas']['DeployFromModelerRequest'];
      };
    };
    responses: {
      /** Nothing is new */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['CamundaDeployment'];
        };
      };
      /** Deployment */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['CamundaDeployment'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Tell Camunda Modeler that it can connect Role: viewer. */
  GetCamundaTopology: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Topology */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['CamundaTopology'];
        };
      };
      400: Refusal;
      401: Refusal;
      404: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Check readiness Role: public. */
  GetReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Ready */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Ready'];
        };
      };
      400: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      /** Not ready; names the missing dependencies. UNAVAILABLE: Temporarily unavailable. */
      503: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['NotReady'];
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  /** Get the JSON Schema of scenarios Role: public. */
  GetScenarioSchema: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** JSON Schema, draft 2020-12 */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': { [name: string]: unknown };
        };
      };
      400: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Get the version of the host Role: public. */
  GetVersion: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Build information */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['Version'];
        };
      };
      400: Refusal;
      405: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
}

export interface components {
  schemas: {
    AcceptedBpmnBacktest: {
      backtestID: string;
      total: number;
    };
    AcceptedBpmnBatch: {
      batchID: string;
      total: number;
    };
    ActiveScope: {
      scopeID: string;
      parentScopeID?: string;
      nodeID: string;
      activeNodes: { [name: string]: number };
      processVersion: number;
      variables: { [name: string]: unknown };
    };
    AgentPrice: {
      /** As in the input `model` of the agent. */
      model: string;
      inputPerMillion: number;
      outputPerMillion: number;
      currency: string;
    };
    AuditEntry: {
      id: string;
      time: string;
      actor: string;
      actorType: 'PERSON' | 'SERVICE' | 'HOOK';
      via: 'REST' | 'MCP' | 'NEXUS' | 'BATCH' | 'HOOK' | 'SCHEDULE';
      /** The id of the operation. */
      operation: string;
      /** `PENDING` until the instance or the identity provider has answered. */
      outcome: 'PENDING' | 'APPLIED' | 'REJECTED';
      /** Why it was rejected. */
      code?: string;
      /** Chosen by the host; in the response and in its log. */
      requestID?: string;
      /** `X-Request-Id` of the caller, who can repeat it. */
      clientRequestID?: string;
      reason?: string;
      workflowID?: string;
      definitionID?: string;
      processId?: string;
      resourceID?: string;
      deploymentID?: string;
      executionKey?: string;
      incidentID?: string;
      publicationID?: string;
      hookID?: string;
      subscriptionID?: string;
      batchID?: string;
      /** The member that was changed. */
      subject?: string;
      /** Names of the variables or settings that were set, or of the variables that were redacted. */
      names?: string[];
      /** Created ids and set values, by name. `{from, to}` shows a value that was replaced. Never a secret or the value of a variable. */
      details?: { [name: string]: unknown };
    };
    AuditEntryPaginatedResponse: {
      data: components['schemas']['AuditEntry'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BacktestInstanceFilter: {
      definitionID?: string;
      status?: ('RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED')[];
      hasIncident?: boolean;
      suspended?: boolean;
      createdAfter?: string;
      createdBefore?: string;
      completedAfter?: string;
      completedBefore?: string;
      /** At least the first four characters, in lower case. */
      workflowIDPrefix?: string;
      businessId?: string;
      businessIdPrefix?: string;
      failureReasonContains?: string;
      startedBy?: string;
      activeNodeID?: string;
      parentWorkflowID?: string;
      importedFrom?: string;
      importedFromID?: string;
      restartedFrom?: string;
      overTarget?: boolean;
    };
    BacktestPercentiles: {
      p50: number;
      p95: number;
    };
    BatchEvaluateDesignRequest: {
      xml: string;
      inputs: { [name: string]: unknown }[];
      errorMode?: 'strict' | 'lenient';
    };
    BatchEvaluationResponse: {
      results: {
        executionID?: string;
        inputs: { [name: string]: unknown };
        results: { [name: string]: components['schemas']['EvaluationResult'] };
      }[];
    };
    BatchMigrationRequest: {
      targetVersion: number;
      elementMappings?: components['schemas']['ElementMapping'][];
      variables?: { [name: string]: unknown };
    };
    BatchModificationInstruction: {
      type: 'START_BEFORE_NODE';
      nodeID: string;
      variables?: { [name: string]: unknown };
    } | {
      type: 'CANCEL_TOKEN';
      nodeID: string;
    };
    BpmnActivityState: {
      /** Element instances inside it have it as `scopeID`. */
      elementInstanceID: string;
      nodeID: string;
      nodeType: string;
      scopeID: string;
      status: 'Started' | 'Completed' | 'Failed' | 'Canceled';
      startTime: string;
      endTime?: string;
      durationMs?: number;
      inputs?: { [name: string]: unknown };
      outputs?: { [name: string]: unknown };
      /** `inputs` and `outputs` are omitted because the page would be too large. Request a smaller page. */
      variablesOmitted?: true;
      executionKey?: string;
      actor?: string;
      clientID?: string;
      /** When its latest job was first leased, or its latest user task was first assigned. */
      workStartedAt?: string;
      /** Where connectors ran the work of its latest job on Temporal. */
      execution?: components['schemas']['BpmnJobExecution'];
      childWorkflowID?: string;
      loopCounter?: number;
    };
    BpmnActivityStatePaginatedResponse: {
      data: components['schemas']['BpmnActivityState'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnAgentCost: {
      /** A decimal number, exact, such as `0.00065`. */
      amount: string;
      /** A code of ISO 4217. */
      currency: string;
    };
    BpmnAgentTotals: {
      inputTokens: number;
      outputTokens: number;
      /** One for each currency. */
      costs: components['schemas']['BpmnAgentCost'][];
      /** Answered turns that are not in `costs`: their model has no price, or has not reported its tokens. */
      turnsWithoutCost: number;
    };
    BpmnAgentTurn: {
      /** The activation of the sub-process, which has one conversation. */
      elementInstanceID: string;
      turn: number;
      startedAt: string;
      /** Absent while there is no answer. */
      durationMs?: number;
      /** The one that was asked last. */
      model: string;
      inputTokens?: number;
      outputTokens?: number;
      /** By the current `agentPrices` of the project. Absent without a price of the model or without reported tokens. */
      cost?: components['schemas']['BpmnAgentCost'];
      text?: string;
      /** The error code of an answer that could not be acted on. */
      failure?: string;
      toolCalls: {
        id: string;
        elementId: string;
        /** Absent if the call could not run. */
        arguments?: { [name: string]: unknown };
        /** Sent to the model instead of a result. */
        problem?: string;
        /** Present once it was sent to the model. */
        result?: unknown;
        /** The decision of a person about a call in `approve`. Present once `result` is. */
        approved?: boolean;
      }[];
      /** `text` and `toolCalls` are omitted because the page would be too large. Request a smaller page. */
      valuesOmitted?: true;
    };
    BpmnAgentTurnPaginatedResponse: {
      data: components['schemas']['BpmnAgentTurn'][];
      pagination: components['schemas']['PaginationMetadata'];
      totals: components['schemas']['BpmnAgentTotals'];
    };
    BpmnBacktest: {
      backtestID: string;
      processID: string;
      definitionID?: string;
      version?: number;
      resourceID?: string;
      draftName?: string;
      status: 'RUNNING' | 'COMPLETED' | 'CANCELED';
      createdBy: string;
      createdAt: string;
      completedAt?: string;
      reason?: string;
      total: number;
      done: number;
      counts: {
        same: number;
        otherPath: number;
        otherResult: number;
        incident: number;
        unanswered: number;
        skipped: number;
      };
      groups: components['schemas']['BpmnBacktestGroup'][];
      flows: {
        flowID: string;
        before: number;
        after: number;
      }[];
    };
    BpmnBacktestGroup: {
      outcome: 'SAME' | 'OTHER_PATH' | 'OTHER_RESULT' | 'INCIDENT' | 'UNANSWERED' | 'SKIPPED';
      nodeID?: string;
      reason: string;
      count: number;
      examples: string[];
      durationMs?: components['schemas']['BacktestPercentiles'];
      durationBeforeMs?: components['schemas']['BacktestPercentiles'];
    };
    BpmnBacktestItem: {
      workflowID: string;
      outcome: 'SAME' | 'OTHER_PATH' | 'OTHER_RESULT' | 'INCIDENT' | 'UNANSWERED' | 'SKIPPED';
      first?: {
        nodeID: string;
        occurrence: number;
        expected?: string[];
        found?: string[];
      };
      variables?: string[];
      durationMs?: number;
      durationBeforeMs?: number;
      reason?: string;
    };
    BpmnBacktestItemPaginatedResponse: {
      data: components['schemas']['BpmnBacktestItem'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnBacktestPaginatedResponse: {
      data: components['schemas']['BpmnBacktest'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnBacktestPositions: {
      /** Index of the position at which the node of the first difference begins */
      at: number;
      positions: ({
        /** Moment in the virtual time of the version, in epoch milliseconds */
        now: number;
        /** Number of visits that have begun */
        visits: number;
        /** The run cannot be continued from here: in the middle of a step, or before an answer of a decision */
        isInside?: true;
        /** State of the interpreter, in its `format` */
        state: {
          format: number;
        } & { [name: string]: unknown };
      })[];
      /** Compiled process that it runs, in its `format` */
      graph: {
        format: number;
      } & { [name: string]: unknown };
    };
    BpmnBacktestRun: {
      visits: components['schemas']['BpmnBacktestVisit'][];
      truncated: boolean;
    };
    BpmnBacktestRuns: {
      item: components['schemas']['BpmnBacktestItem'];
      before?: components['schemas']['BpmnBacktestRun'];
      after?: components['schemas']['BpmnBacktestRun'];
      problem?: string;
    };
    BpmnBacktestVisit: {
      nodeID: string;
      at: string;
      flows: string[];
      fact?: number;
      endedAfter?: number;
      counterpart?: number;
    };
    BpmnBatch: {
      batchID: string;
      operation: 'CANCEL' | 'RESOLVE' | 'SET_VARIABLES' | 'MIGRATE' | 'SUSPEND' | 'RESUME' | 'MODIFY' | 'DELETE' | 'FIRE_TIMERS';
      status: 'RUNNING' | 'PAUSED' | 'COMPLETED' | 'CANCELED';
      createdBy: string;
      createdAt: string;
      completedAt?: string;
      reason?: string;
      itemsPerSecond: number;
      filter?: components['schemas']['InstanceFilter'];
      incidentFilter?: components['schemas']['IncidentFilter'];
      names?: string[];
      migration?: {
        targetVersion: number;
        elementMappings?: components['schemas']['ElementMapping'][];
        names?: string[];
      };
      instructions?: ({
        type: 'START_BEFORE_NODE' | 'CANCEL_TOKEN';
        nodeID: string;
        names?: string[];
      })[];
      nodeID?: string;
      total: number;
      counts: {
        pending: number;
        applied: number;
        failedAgain: number;
        rejected: number;
        skipped: number;
        canceled: number;
      };
    };
    BpmnBatchItem: {
      position: number;
      workflowID: string;
      incidentID?: string;
      status: 'PENDING' | 'APPLIED' | 'FAILED_AGAIN' | 'REJECTED' | 'SKIPPED' | 'CANCELED';
      code?: string;
      message?: string;
      issues?: string[];
      commandID?: string;
      processedAt?: string;
    };
    BpmnBatchItemPaginatedResponse: {
      data: components['schemas']['BpmnBatchItem'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnBatchPaginatedResponse: {
      data: components['schemas']['BpmnBatch'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnCommand: {
      commandID: string;
      status: 'PENDING' | 'APPLIED' | 'REJECTED';
      code?: string;
      message?: string;
      issues?: string[];
      appliedAt?: string;
    };
    BpmnConversion: {
      /** The converted file; the given text, declared as UTF-8, if nothing was converted. */
      xml: string;
      findings: components['schemas']['BpmnConversionFinding'][];
      /** Number of findings beyond those in `findings`. */
      unlistedFindings: number;
      /** The tasks that job workers have to perform. */
      jobs: components['schemas']['BpmnConversionJob'][];
      /** Errors that deploying the converted file would report. */
      errors: components['schemas']['BpmnValidationIssue'][];
      warnings: components['schemas']['BpmnValidationIssue'][];
    };
    BpmnConversionFinding: {
      outcome: 'converted' | 'review' | 'unsupported';
      elementID?: string;
      /** In the given file. */
      line: number;
      message: string;
    };
    BpmnConversionJob: {
      type: string;
      elementID: string;
      /** The code that performed it, such as the name of a class; can be empty. */
      performedBy: string;
      /** The variable that the job worker sets. */
      resultVariable?: string;
    };
    BpmnCorrelationDifference: {
      /** JSON pointer into the correlation keys; empty for the whole */
      path: string;
      reason: 'TYPE' | 'VALUE' | 'MISSING';
      /** Value that the subscription asks for; absent if it is large */
      expected?: unknown;
      /** Value in the message; absent if it is large */
      found?: unknown;
    };
    BpmnDefinition: {
      id: string;
      resourceID: string;
      processID: string;
      processName?: string;
      version: number;
      versionTag?: string;
      createdAt: string;
      suspendedAt?: string;
      suspendedBy?: string;
      suspendReason?: string;
      startsSuspension?: components['schemas']['SuspensionEntry'];
      scheduledSuspension?: components['schemas']['ScheduledSuspension'];
      startTimers: components['schemas']['BpmnStartTimer'][];
    };
    BpmnDefinitionNodes: {
      nodes: components['schemas']['BpmnNodeCounts'][];
      /** Running instances whose active nodes are not known yet, because they have not started. */
      unplacedInstances: number;
    };
    BpmnDeployedFile: {
      name: string;
      kind: 'BPMN' | 'DMN' | 'FORM' | 'TEMPLATE';
      state: 'CREATED' | 'UNCHANGED';
      resourceID?: string;
      definitionID?: string;
      formID?: string;
      version?: number;
      templateIDs?: string[];
      processes?: ({
        processID: string;
        definitionID?: string;
        version: number;
        state: 'CREATED' | 'UNCHANGED';
      })[];
      warnings?: components['schemas']['BpmnValidationIssue'][];
    };
    BpmnDeployment: {
      deploymentID?: string;
      name?: string;
      createdBy: string;
      createdAt: string;
      reason?: string;
      files: components['schemas']['BpmnDeployedFile'][];
    };
    BpmnDeploymentPaginatedResponse: {
      data: components['schemas']['BpmnDeployment'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnDurationSpread: {
      p50Ms: number;
      p95Ms: number;
      p99Ms: number;
    };
    BpmnExternalJobPaginatedResponse: {
      data: components['schemas']['ExternalJob'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnFact: {
      kind: string;
      nodeID?: string;
      time: string;
      at: number;
      status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
    };
    BpmnFactPaginatedResponse: {
      data: components['schemas']['BpmnFact'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnFlowStatistics: {
      flowID: string;
      /** How often tokens took the sequence flow. */
      taken: number;
    };
    BpmnForm: {
      formID?: string;
      version?: number;
      versionTag?: string;
      deploymentID?: string;
      schema: { [name: string]: unknown };
      variables?: { [name: string]: unknown };
    };
    BpmnFormPaginatedResponse: {
      data: components['schemas']['BpmnListedForm'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnImportResult: {
      /** Absent after a dry run. */
      workflowID?: string;
      /** Reasons why a part of the state was left out. */
      warnings: string[];
    };
    BpmnIncident: {
      incidentID: string;
      previousIncidentID?: string;
      nodeID: string;
      scopeID?: string;
      errorType: 'BpmnError' | 'EscalationError' | 'CompensationError' | 'FeelError' | 'NoHandler' | 'GatewayNoMatch' | 'TimerResolution' | 'LinkNotFound' | 'MigrationError' | 'SubscriptionError' | 'RotationLimitError' | 'SnapshotSizeExceeded' | 'CallActivityCanceled' | 'ExternalRowRefreshError' | 'JobLockLost' | 'DecisionNotFound' | 'EngineError' | 'Unknown';
      errorCode?: string;
      errorMessage: string;
      variables?: { [name: string]: unknown };
      timestamp: number;
    };
    BpmnIncidentGroup: {
      groupID: string;
      processID: string;
      processName?: string;
      nodeID: string;
      errorType: 'BpmnError' | 'EscalationError' | 'CompensationError' | 'FeelError' | 'NoHandler' | 'GatewayNoMatch' | 'TimerResolution' | 'LinkNotFound' | 'MigrationError' | 'SubscriptionError' | 'RotationLimitError' | 'SnapshotSizeExceeded' | 'CallActivityCanceled' | 'ExternalRowRefreshError' | 'JobLockLost' | 'DecisionNotFound' | 'EngineError' | 'Unknown';
      errorCode?: string;
      message: string;
      count: number;
      instances: number;
      firstRaisedAt: string;
      lastRaisedAt: string;
    };
    BpmnIncidentGroupPaginatedResponse: {
      data: components['schemas']['BpmnIncidentGroup'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnIncidentRecord: {
      id: string;
      incidentID: string;
      previousIncidentID?: string;
      workflowID: string;
      definitionID: string;
      processID: string;
      processName?: string;
      processVersion: number;
      nodeID: string;
      /** As in the history of the instance. */
      elementInstanceID: string;
      scopeID?: string;
      executionKey?: string;
      groupID: string;
      errorType: 'BpmnError' | 'EscalationError' | 'CompensationError' | 'FeelError' | 'NoHandler' | 'GatewayNoMatch' | 'TimerResolution' | 'LinkNotFound' | 'MigrationError' | 'SubscriptionError' | 'RotationLimitError' | 'SnapshotSizeExceeded' | 'CallActivityCanceled' | 'ExternalRowRefreshError' | 'JobLockLost' | 'DecisionNotFound' | 'EngineError' | 'Unknown';
      errorCode?: string;
      errorMessage: string;
      raisedAt: string;
      resolvedAt?: string;
      resolvedBy?: string;
    };
    BpmnIncidentRecordPaginatedResponse: {
      data: components['schemas']['BpmnIncidentRecord'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnInstance: {
      definitionID: string;
      workflowID: string;
      parentWorkflowID?: string;
      processId: string;
      processName?: string;
      processVersion: number;
      status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
      failureReason?: string;
      startedBy?: string;
      createdAt: string;
      completedAt?: string;
      hasIncident: boolean;
      overTarget: boolean;
      definitionSuspended: boolean;
      parentSuspended: boolean;
      suspendedAt?: string;
      suspendedBy?: string;
      suspendReason?: string;
      businessId?: string;
      /** It waits for a place of its process, and has not begun */
      queued?: true;
      restartedFrom?: string;
      importedFrom?: components['schemas']['BpmnInstanceImportedFrom'];
      isTest?: true;
    };
    BpmnInstanceChildrenResponse: {
      children: components['schemas']['BpmnInstance'][];
    };
    BpmnInstanceEngineState: {
      /** Number of facts of the instance that the state includes */
      at: number;
      /** Number of all facts of the instance */
      last: number;
      /** Moment of the state in epoch milliseconds */
      now: number;
      /** State of the interpreter, in its `format` */
      state: {
        format: number;
      } & { [name: string]: unknown };
      /** Compiled process that it runs, in its `format` */
      graph: {
        format: number;
      } & { [name: string]: unknown };
    };
    BpmnInstanceImportedFrom: {
      system: string;
      id: string;
      startedBy?: string;
    };
    BpmnInstancePaginatedResponse: {
      data: components['schemas']['BpmnInstance'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnInstanceReplay: {
      at: number;
      last: number;
      status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
      activeScopes: components['schemas']['ActiveScope'][];
      variables: { [name: string]: unknown };
      incidents: components['schemas']['BpmnIncident'][];
      fact?: {
        kind: string;
        nodeID?: string;
        time: string;
      };
    };
    BpmnInstanceSearchMatch: {
      workflowID: string;
      definitionID: string;
      status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
      businessId?: string;
      hasIncident: boolean;
      createdAt: string;
      capturedAt: string;
      variables: { [name: string]: unknown };
    };
    BpmnInstanceSearchResponse: {
      matches: components['schemas']['BpmnInstanceSearchMatch'][];
      nextCursor: string | null;
      scanned: number;
      evaluated: number;
      predicateErrors: number;
      firstPredicateError?: string;
      exhausted: boolean;
      deadlineHit: boolean;
    };
    BpmnInstanceState: {
      resourceID: string;
      definitionID: string;
      workflowID: string;
      parentWorkflowID?: string;
      processId: string;
      processName?: string;
      processVersion: number;
      status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
      variables: { [name: string]: unknown };
      error: boolean;
      incidents: components['schemas']['BpmnIncident'][];
      activeScopes: components['schemas']['ActiveScope'][];
      failureReason?: string;
      startedBy?: string;
      createdAt: string;
      completedAt?: string;
      overTarget: boolean;
      definitionSuspended: boolean;
      parentSuspended: boolean;
      instanceSuspension?: components['schemas']['SuspensionEntry'];
      definitionSuspension?: components['schemas']['SuspensionEntry'];
      parentSuspension?: components['schemas']['SuspensionEntry'];
      pendingJoinArrivals: { [name: string]: { [name: string]: number } };
      businessId?: string;
      /** It waits for a place of its process, and has not begun */
      queued?: true;
      restartedFrom?: string;
      importedFrom?: components['schemas']['BpmnInstanceImportedFrom'];
      redactedVariables?: string[];
      isTest?: true;
    };
    BpmnInstanceSuspension: {
      instanceSuspension?: components['schemas']['SuspensionEntry'];
      definitionSuspension?: components['schemas']['SuspensionEntry'];
      parentSuspension?: components['schemas']['SuspensionEntry'];
      waiting: components['schemas']['BpmnWaitingEvent'][];
    };
    BpmnInstanceVariables: {
      variables: { [name: string]: unknown };
    };
    BpmnInstanceWait: {
      /** begin: the instance or the node has not begun, because of a pause or because other work comes first */
      kind: 'begin' | 'job' | 'userTask' | 'timer' | 'message' | 'signal' | 'condition' | 'call' | 'decision' | 'join' | 'adHoc' | 'incident';
      nodeID?: string;
      nodeName?: string;
      scopeID?: string;
      since: string;
      /** Whether the node takes longer than its target */
      overTarget: boolean;
      /** Of a job or user task */
      executionKey?: string;
      taskType?: string;
      /** Of a job: the listener of the node that it is the job of */
      listener?: components['schemas']['BpmnJobListener'];
      retries?: number;
      /** When a job worker can lease the job */
      availableAt?: string;
      lockedBy?: string;
      /** Of a job: the limit of its task type that holds it back now. Of an instance that has not begun: its process has no free place */
      heldBy?: 'CONCURRENCY' | 'RATE';
      /** Of a job: where connectors run its work on Temporal */
      execution?: components['schemas']['BpmnJobExecution'];
      lockExpiresAt?: string;
      assignee?: string;
      /** Of a user task */
      dueDate?: string;
      /** One tick of a timer. A change and a migration keep it */
      timerID?: string;
      /** Of a timer; a pause does not change it */
      dueAt?: string;
      /** Remaining ticks of a timer; absent if it fires once or without end */
      repeats?: number;
      /** Of a message or signal */
      name?: string;
      /** Absent above 4 KiB */
      correlationKeys?: unknown;
      /** Kept messages of the name that do not match, at most 100 counted */
      keptUnmatched?: number;
      /** Of a condition, at most 1,000 characters */
      expression?: string;
      /** The called instance */
      workflowID?: string;
      /** Sequence flows that a joining gateway waits for */
      missingFlows?: string[];
      incidentID?: string;
      errorType?: string;
    };
    BpmnInstanceWaitPaginatedResponse: {
      data: components['schemas']['BpmnInstanceWait'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnJobActivation: {
      elementId: string;
      variables?: { [name: string]: unknown };
    };
    BpmnJobEnd: {
      commandID: string;
      status: 'PENDING' | 'APPLIED' | 'REJECTED';
      code?: string;
      message?: string;
      issues?: string[];
      appliedAt?: string;
      jobs?: components['schemas']['ExternalJob'][];
    };
    BpmnJobExecution: {
      namespace: string;
      workflowID: string;
      runID: string;
    };
    BpmnJobListener: {
      kind: 'EXECUTION' | 'TASK';
      /** `start` and `end` of an execution listener, the others of a task listener. */
      eventType: 'start' | 'end' | 'creating' | 'assigning' | 'updating' | 'completing' | 'canceling';
    };
    BpmnJobResult: {
      type?: 'adHocSubProcess' | 'userTask';
      activateElements?: components['schemas']['BpmnJobActivation'][];
      isCompletionConditionFulfilled?: boolean;
      isCancelRemainingInstances?: boolean;
      denied?: boolean;
      deniedReason?: string;
      corrections?: components['schemas']['BpmnTaskCorrections'];
    };
    BpmnListedForm: {
      formID: string;
      version: number;
      versionTag?: string;
      deploymentID?: string;
      /** Time of deployment of this version */
      createdAt: string;
      usedBy: {
        processID: string;
        nodeID: string;
      }[];
    };
    BpmnNearMiss: {
      workflowID: string;
      nodeID: string;
      correlationKeys?: unknown;
      differences: components['schemas']['BpmnCorrelationDifference'][];
    };
    BpmnNodeCounts: {
      nodeID: string;
      activeInstances: number;
      openIncidents: number;
    };
    BpmnNodeStatistics: {
      nodeID: string;
      /** As in the history of an instance. */
      nodeType: string;
      name?: string;
      started: number;
      completed: number;
      canceled: number;
      failed: number;
      incidents: number;
      /** Within 5 %. Absent if nothing was measured. */
      p50Ms?: number;
      /** Within 5 %. Absent if nothing was measured. */
      p95Ms?: number;
      /** Within 5 %. Absent if nothing was measured. */
      p99Ms?: number;
      /** Of completed jobs, until a job worker first leased them; of user tasks, until they were first assigned. */
      waiting?: components['schemas']['BpmnDurationSpread'];
      /** From there until they were completed. */
      working?: components['schemas']['BpmnDurationSpread'];
    };
    BpmnProcessDefinition: {
      id: string;
      resourceID: string;
      processID: string;
      processName?: string;
      version: number;
      createdAt: string;
      suspendedAt?: string;
      suspendedBy?: string;
      suspendReason?: string;
    };
    BpmnProcessSettings: {
      uniqueBusinessId: 'NONE' | 'RUNNING' | 'EVER';
      concurrentInstances?: number;
      concurrencyKey?: string;
      whenFull: 'QUEUE' | 'REFUSE';
      maxQueued: number;
    };
    BpmnProcessStatistics: {
      processID: string;
      version?: number;
      since: string;
      until: string;
      step: 'hour' | 'day';
      /** Everything that was committed before this time is counted. */
      asOf: string;
      /** Of instances: one for each step of the range. */
      series: components['schemas']['BpmnStatisticsStep'][];
      nodes: components['schemas']['BpmnNodeStatistics'][];
      flows: components['schemas']['BpmnFlowStatistics'][];
      targets: components['schemas']['BpmnTargetStatistics'][];
    };
    BpmnProcessSummary: {
      processID: string;
      processName: string;
      versionCount: number;
      suspendedVersionCount: number;
      hasSuspendedDefinition: boolean;
      /** Number of instances, counted up to 10,000. The value 10,000 means 10,000 or more. */
      runningCount: number;
      /** Number of instances, counted up to 10,000. The value 10,000 means 10,000 or more. */
      totalCount: number;
    };
    BpmnProcessSummaryPaginatedResponse: {
      data: components['schemas']['BpmnProcessSummary'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnProcessTrend: {
      processID: string;
      processName?: string;
      started: number;
      completed: number;
      canceled: number;
      failed: number;
      incidents: number;
      /** Within 5 %. Absent if nothing was measured. */
      p50Ms?: number;
      /** Within 5 %. Absent if nothing was measured. */
      p95Ms?: number;
      /** Within 5 %. Absent if nothing was measured. */
      p99Ms?: number;
    };
    BpmnProcessVersion: {
      id: string;
      resourceID: string;
      resourceName: string;
      processID: string;
      processName?: string;
      version: number;
      createdAt: string;
      /** Number of instances, counted up to 10,000. The value 10,000 means 10,000 or more. */
      runningCount: number;
      /** Number of instances, counted up to 10,000. The value 10,000 means 10,000 or more. */
      totalCount: number;
      suspendedAt?: string;
      suspendedBy?: string;
      suspendReason?: string;
      startsSuspension?: components['schemas']['SuspensionEntry'];
      scheduledSuspension?: components['schemas']['ScheduledSuspension'];
    };
    BpmnProcessVersionPaginatedResponse: {
      data: components['schemas']['BpmnProcessVersion'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnPublication: {
      publicationID: string;
      type: 'message' | 'signal';
      name: string;
      /** Absent from lists and from ended publications above 4 KiB */
      correlationKeys?: unknown;
      /** Only in the response to GetBpmnPublication, while it is kept */
      variables?: { [name: string]: unknown };
      /** CLAIMED: given to an instance that has not handled it yet. A signal is kept until its `ttl` ends. */
      state: 'KEPT' | 'CLAIMED' | 'TAKEN' | 'EXPIRED' | 'DELETED';
      /** Absent if an instance has published it */
      publishedBy?: string;
      publishedAt: string;
      expiresAt: string;
      endedAt?: string;
      takenBy?: {
        workflowID: string;
        nodeID: string;
      };
      /** The first 20 instances that it has started */
      started?: {
        workflowID: string;
        definitionID: string;
      }[];
      /** How many instances a signal was given to */
      reached?: number;
      /** Open subscriptions of the name that a kept message does not match, oldest first, at most 20 */
      nearMisses?: components['schemas']['BpmnNearMiss'][];
    };
    BpmnPublicationPaginatedResponse: {
      data: components['schemas']['BpmnPublication'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnResource: {
      id: string;
      name: string;
      xml: string;
      definitionsID: string;
      isDeployed: boolean;
      deployedAt?: string;
      createdBy: string;
      createdAt: string;
      /** `xml` is empty because the rows before it on the page are so large. Request a smaller page. */
      xmlOmitted?: true;
    };
    BpmnResourceDetail: {
      id: string;
      name: string;
      xml: string;
      definitionsID: string;
      isDeployed: boolean;
      deployedAt?: string;
      createdBy: string;
      createdAt: string;
      hasSuspendedDefinition: boolean;
      processes?: components['schemas']['BpmnProcessDefinition'][];
      warnings?: components['schemas']['BpmnValidationIssue'][];
    };
    BpmnResourcePaginatedResponse: {
      data: components['schemas']['BpmnResource'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnResourceSummary: {
      definitionsID: string;
      latestResourceID: string;
      name: string;
      versionCount: number;
      isDeployed: boolean;
      hasSuspendedDefinition: boolean;
      createdAt: string;
    };
    BpmnResourceSummaryPaginatedResponse: {
      data: components['schemas']['BpmnResourceSummary'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnSlowNode: {
      processID: string;
      nodeID: string;
      completed: number;
      p95Ms: number;
    };
    BpmnStartTimer: {
      nodeID: string;
      type: 'date' | 'cycle';
      /** An instant, an ISO 8601 repetition, or a cron expression. */
      timer: string;
      /** False when a newer version has replaced this one. */
      active: boolean;
      /** Ticks that started no instance because the definition, or its starts, were suspended. */
      skippedTicks: number;
      lastSkippedAt?: string;
    };
    BpmnStatistics: {
      /** Everything that was committed before this time is counted in `last24Hours`. */
      asOf: string;
      instances: {
        running: number;
        paused: number;
        withIncident: number;
        overTarget: number;
      };
      openIncidents: number;
      userTasks: {
        open: number;
        unassigned: number;
        overdue: number;
      };
      jobs: {
        pending: number;
        oldestAvailableAt?: string;
      };
      keptMessages: number;
      /** The current hour and the 23 hours before it, in UTC. */
      last24Hours: {
        started: number;
        completed: number;
        canceled: number;
        failed: number;
        incidents: number;
      };
      runningByAge: {
        olderThan: string;
        count: number;
      }[];
      /** At most 10, of the same hours, among the 500 nodes that completed the most activations. */
      slowestNodes: components['schemas']['BpmnSlowNode'][];
    };
    BpmnStatisticsStep: {
      time: string;
      started: number;
      completed: number;
      canceled: number;
      failed: number;
      incidents: number;
      /** Within 5 %. Absent if nothing was measured. */
      p50Ms?: number;
      /** Within 5 %. Absent if nothing was measured. */
      p95Ms?: number;
      /** Within 5 %. Absent if nothing was measured. */
      p99Ms?: number;
    };
    BpmnStatisticsTrend: {
      since: string;
      until: string;
      /** Everything that was committed before this time is counted. */
      asOf: string;
      /** One for each hour of the range. */
      series: components['schemas']['BpmnStatisticsStep'][];
      /** At most 5, most started first. */
      busiest: components['schemas']['BpmnProcessTrend'][];
      /** At most 5, highest p95 first. */
      slowest: components['schemas']['BpmnProcessTrend'][];
    };
    BpmnSubscription: {
      type: 'message' | 'signal';
      name: string;
      /** Absent above 4 KiB */
      correlationKeys?: unknown;
      nodeID: string;
      /** Absent if it starts a process */
      workflowID?: string;
      definitionID: string;
      processId: string;
      openedAt: string;
      /** The publication that is on its way to it */
      publicationID?: string;
      /** Kept messages of the name that do not match, at most 100 counted */
      keptUnmatched: number;
    };
    BpmnSubscriptionPaginatedResponse: {
      data: components['schemas']['BpmnSubscription'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnTargetStatistics: {
      /** Absent for the instance as a whole. */
      nodeID?: string;
      duration: string;
      /** Completed in time. */
      met: number;
      missed: number;
    };
    BpmnTargets: {
      targets: {
        /** Absent for the instance as a whole. */
        nodeID?: string;
        duration: string;
      }[];
    };
    BpmnTaskCorrections: {
      assignee?: string | null;
      dueDate?: string | '' | null;
      followUpDate?: string | '' | null;
      priority?: number | null;
      candidateUsers?: string[] | null;
      candidateGroups?: string[] | null;
    };
    BpmnTimelineEntry: {
      kind: 'START' | 'IMPORT' | 'SUSPEND' | 'RESUME' | 'COMPLETE_USER_TASK' | 'THROW_USER_TASK_ERROR' | 'ASSIGN_USER_TASK' | 'COMPLETE_JOB' | 'THROW_JOB_ERROR' | 'UPDATE_JOB' | 'RESOLVE_INCIDENT' | 'MODIFY' | 'MIGRATE' | 'CANCEL_INSTANCE' | 'SET_VARIABLES' | 'REDACT_VARIABLES' | 'TRIGGER_AD_HOC' | 'SET_AD_HOC_VARIABLES' | 'UPDATE_TIMER' | 'FIRE_TIMER' | 'ESCALATION';
      time: string;
      actor?: string;
      reason?: string;
      outcome: 'PENDING' | 'APPLIED' | 'REJECTED';
      message?: string;
      commandID?: string;
      batchID?: string;
      scope?: 'instance' | 'definition' | 'parent';
      incidentID?: string;
      executionKey?: string;
      nodeIDs?: string[];
      variables?: string[];
      targetVersion?: number;
      escalationCode?: string;
    };
    BpmnTimelineEntryPaginatedResponse: {
      data: components['schemas']['BpmnTimelineEntry'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnUserTaskPaginatedResponse: {
      data: components['schemas']['UserTask'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnValidateResponse: {
      errors: components['schemas']['BpmnValidationIssue'][];
      warnings: components['schemas']['BpmnValidationIssue'][];
    };
    BpmnValidationIssue: {
      severity: 'error' | 'warning';
      elementID?: string;
      message: string;
    };
    BpmnWaitingEvent: {
      kind: 'job' | 'userTask' | 'adHoc' | 'message' | 'signal' | 'timer' | 'child' | 'call';
      nodeID?: string;
      name?: string;
      since: string;
    };
    CamundaDeployment: {
      deploymentID?: string;
      name?: string;
      createdBy: string;
      createdAt: string;
      reason?: string;
      files: components['schemas']['BpmnDeployedFile'][];
      deploymentKey: string;
      tenantId: '<default>';
      deployments: ({
        processDefinition: {
          processDefinitionId: string;
          processDefinitionVersion: number;
          processDefinitionKey: string;
          resourceName: string;
          tenantId: '<default>';
        };
      } | {
        decisionRequirements: {
          decisionRequirementsId: string;
          decisionRequirementsName: string;
          version: number;
          decisionRequirementsKey: string;
          resourceName: string;
          tenantId: '<default>';
        };
      } | {
        decisionDefinition: {
          decisionDefinitionId: string;
          name: string;
          version: number;
          decisionDefinitionKey: string;
          decisionRequirementsId: string;
          decisionRequirementsKey: string;
          tenantId: '<default>';
        };
      } | {
        form: {
          formId: string;
          version: number;
          formKey: string;
          resourceName: string;
          tenantId: '<default>';
        };
      })[];
    };
    CamundaTopology: {
      brokers: string[];
      clusterSize: number;
      partitionsCount: number;
      replicationFactor: number;
      gatewayVersion: string;
      lastCompletedChangeId: string;
    };
    CancelBpmnBacktestRequest: {
      reason?: string;
    };
    ChangeProjectMemberRequest: {
      role: 'viewer' | 'executor' | 'editor' | 'admin';
    };
    ChangeProjectSettingsRequest: {
      name?: string;
      description?: string | null;
      messageTtl?: string | null;
      signalTtl?: string | null;
      historyRetention?: string | null;
      auditRetention?: string | null;
      eventRetention?: string | null;
      validateForms?: boolean;
      agentPrices?: components['schemas']['AgentPrice'][];
    };
    CloudEvent: {
      specversion: '1.0';
      /** The position of the event. */
      id: string;
      source: string;
      type: 'perdure.instance.started' | 'perdure.instance.imported' | 'perdure.instance.completed' | 'perdure.instance.failed' | 'perdure.instance.canceled' | 'perdure.instance.suspended' | 'perdure.instance.resumed' | 'perdure.instance.migrated' | 'perdure.incident.raised' | 'perdure.incident.resolved' | 'perdure.task.created' | 'perdure.task.assigned' | 'perdure.task.completed' | 'perdure.task.failed' | 'perdure.task.canceled' | 'perdure.task.overdue' | 'perdure.definition.deployed' | 'perdure.definition.suspended' | 'perdure.definition.resumed' | 'perdure.target.missed' | 'perdure.batch.completed';
      /** The id of the instance, incident, user task, definition, or batch. */
      subject: string;
      time: string;
      datacontenttype: 'application/json';
      /** Never a variable or an error message. */
      data: { [name: string]: unknown };
    };
    ControlBpmnBatchRequest: {
      reason?: string;
    };
    CorrelationKeys: string | number | boolean | { [name: string]: unknown };
    CreateBpmnBacktestRequest: {
      filter?: components['schemas']['BacktestInstanceFilter'];
      newest?: number;
      reason?: string;
    };
    CreateBpmnBatchRequest: {
      operation: 'CANCEL' | 'RESOLVE' | 'SET_VARIABLES' | 'MIGRATE' | 'SUSPEND' | 'RESUME' | 'MODIFY' | 'DELETE' | 'FIRE_TIMERS';
      filter?: components['schemas']['InstanceFilter'];
      workflowIDs?: string[];
      incidentFilter?: components['schemas']['IncidentFilter'];
      incidentIDs?: string[];
      variables?: { [name: string]: unknown };
      instructions?: components['schemas']['BatchModificationInstruction'][];
      migration?: components['schemas']['BatchMigrationRequest'];
      nodeID?: string;
      reason?: string;
      itemsPerSecond?: number;
      dryRun?: boolean;
    };
    CreateBpmnDraftBacktestRequest: {
      filter?: components['schemas']['BacktestInstanceFilter'];
      newest?: number;
      reason?: string;
      processID?: string;
    };
    CreateBpmnResourceRequest: {
      name: string;
      xml: string;
    };
    CreateDefinitionRequest: {
      name: string;
      xml: string;
      version?: number;
    };
    CreateEventSubscriptionRequest: {
      name: string;
      /** Must be in EGRESS_ALLOW of the host. */
      url: string;
      /** The name of the secret that signs: base64 of at least 16 bytes, with or without `whsec_`. */
      secret: string;
      types: ('perdure.instance.started' | 'perdure.instance.imported' | 'perdure.instance.completed' | 'perdure.instance.failed' | 'perdure.instance.canceled' | 'perdure.instance.suspended' | 'perdure.instance.resumed' | 'perdure.instance.migrated' | 'perdure.incident.raised' | 'perdure.incident.resolved' | 'perdure.task.created' | 'perdure.task.assigned' | 'perdure.task.completed' | 'perdure.task.failed' | 'perdure.task.canceled' | 'perdure.task.overdue' | 'perdure.definition.deployed' | 'perdure.definition.suspended' | 'perdure.definition.resumed' | 'perdure.target.missed' | 'perdure.batch.completed')[];
      /** Absent: of all processes. */
      processIds?: string[];
      enabled?: boolean;
      /** Absent: events from now on. `0`: from the oldest event. */
      after?: string;
    };
    CreateProjectRequest: {
      name: string;
    };
    DeadLetter: {
      event: components['schemas']['CloudEvent'];
      attempts: number;
      lastError?: string;
      deadAt: string;
    };
    DeadLetterPaginatedResponse: {
      data: components['schemas']['DeadLetter'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    DecisionInputField: {
      name: string;
      typeRef?: string;
    };
    DecisionSummary: {
      decisionID: string;
      decisionName: string;
      definitionsID: string;
      definitionName: string;
      latestVersion: number;
      inputFields: components['schemas']['DecisionInputField'][];
    };
    Definition: {
      id: string;
      name: string;
      definitionsID: string;
      xml: string;
      version: number;
      createdBy?: string;
      createdAt: string;
      versionCount?: number;
      /** `xml` is empty because the rows before it on the page are so large. Request a smaller page. */
      xmlOmitted?: true;
    };
    DefinitionDetail: {
      id: string;
      name: string;
      definitionsID: string;
      xml: string;
      version: number;
      createdBy?: string;
      createdAt: string;
      versionCount?: number;
      warnings?: components['schemas']['BpmnValidationIssue'][];
    };
    DeployBpmnBundleRequest: {
      name?: string;
      files: {
        name: string;
        content: string;
      }[];
      reason?: string;
      dryRun?: boolean;
    };
    DeployBpmnResourceRequest: {
      reason?: string;
    };
    DeployFromModelerRequest: {
      resources: string[];
      tenantId?: '' | '<default>';
    };
    ElementMapping: {
      sourceElementID: string;
      targetElementID: string;
    };
    ElementTemplate: {
      templateID: string;
      /** Version that the template states */
      version?: number;
      name: string;
      appliesTo: string[];
      deploymentID: string;
      /** Time of the deployment that contained it */
      createdAt: string;
      /** The whole template, as a modeler reads it */
      template: { [name: string]: unknown };
    };
    ElementTemplatePaginatedResponse: {
      data: components['schemas']['ElementTemplate'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    EvaluateBpmnConditionalsRequest: {
      variables: { [name: string]: unknown };
      definitionID?: string;
    };
    EvaluateBpmnConditionalsResponse: {
      started: {
        workflowID: string;
        definitionID: string;
      }[];
      /** Definitions whose condition is true and that started nothing, because the queue of their process is full */
      queueFull?: string[];
    };
    EvaluateBpmnExpressionRequest: {
      /** FEEL, with or without `=` in front */
      expression: string;
      /** The element instance whose variables the expression sees, as waits and history name it; default: the process */
      scopeID?: string;
      /** After this fact; default: the last one. `now()` is the time of the fact */
      at?: number;
    };
    EvaluateDesignRequest: {
      xml: string;
      additionalXMLs?: string[];
      /** Values by input data name; at most 1 MiB as JSON, otherwise 413. */
      context?: { [name: string]: unknown };
      decisionServices?: string[];
      decisions?: string[];
      errorMode?: 'strict' | 'lenient';
    };
    EvaluateStoredRequest: {
      version?: number;
      /** Values by input data name; at most 1 MiB as JSON, otherwise 413. */
      context: { [name: string]: unknown };
      decisionServices?: string[];
      decisions?: string[];
      businessId?: string;
      errorMode?: 'strict' | 'lenient';
    };
    EvaluatedBpmnExpression: {
      /** Null if there is a problem */
      value: unknown;
      problem?: {
        /** Never contains the value of a variable */
        message: string;
        line?: number;
        column?: number;
      };
    };
    EvaluationResult: {
      decisionID: string;
      name: string;
      type: 'DECISION' | 'DECISION_SERVICE' | 'BKM' | 'INPUT_DATA';
      error: string | null;
      value: components['schemas']['FeelValue'];
      hitRules?: components['schemas']['HitRule'][];
      warnings?: components['schemas']['EvaluationWarning'][];
      dependencies?: components['schemas']['EvaluationResult'][];
    };
    EvaluationWarning: {
      code: string;
      message: string;
      elementID?: string;
    };
    EventSubscription: {
      subscriptionID: string;
      name: string;
      /** Must be in EGRESS_ALLOW of the host. */
      url: string;
      /** The name of the secret that signs: base64 of at least 16 bytes, with or without `whsec_`. */
      secret: string;
      types: ('perdure.instance.started' | 'perdure.instance.imported' | 'perdure.instance.completed' | 'perdure.instance.failed' | 'perdure.instance.canceled' | 'perdure.instance.suspended' | 'perdure.instance.resumed' | 'perdure.instance.migrated' | 'perdure.incident.raised' | 'perdure.incident.resolved' | 'perdure.task.created' | 'perdure.task.assigned' | 'perdure.task.completed' | 'perdure.task.failed' | 'perdure.task.canceled' | 'perdure.task.overdue' | 'perdure.definition.deployed' | 'perdure.definition.suspended' | 'perdure.definition.resumed' | 'perdure.target.missed' | 'perdure.batch.completed')[];
      /** Absent: of all processes. */
      processIds?: string[];
      enabled: boolean;
      /** Events up to here are delivered, on their way, or dead letters. */
      position: string;
      /** Events that wait for their delivery, among the first 10,000 after the position. */
      pending: number;
      failingSince?: string;
      lastError?: string;
      deadLetters: number;
      createdBy: string;
      createdAt: string;
    };
    EventSubscriptionPaginatedResponse: {
      data: components['schemas']['EventSubscription'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    EventsPart: {
      data: components['schemas']['CloudEvent'][];
      /** The `after` of the next request. */
      next: string;
    };
    Execution: {
      id: string;
      definitionID: string;
      executedAt: string;
      executedBy?: string;
      inputs: { [name: string]: unknown };
      outputs: unknown;
      definitionsID?: string;
      businessId?: string;
      /** `inputs` is empty and `outputs` null because the rows before it on the page are so large. Request a smaller page. */
      valuesOmitted?: true;
    };
    ExternalJob: {
      id: string;
      executionKey: string;
      workflowID: string;
      nodeID: string;
      taskType: string;
      variables?: { [name: string]: unknown };
      /** Only in lists: `variables` is omitted because the rows before it on the page are so large. Request a smaller page. */
      variablesOmitted?: true;
      parentWorkflowID?: string;
      status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
      retries: number;
      priority: number;
      availableAt?: string;
      heldBy?: 'CONCURRENCY' | 'RATE';
      execution?: components['schemas']['BpmnJobExecution'];
      definitionID: string;
      processId: string;
      headers?: { [name: string]: string };
      listener?: components['schemas']['BpmnJobListener'];
      createdAt: string;
      completedAt?: string;
      completedBy?: string;
      failedBy?: string;
      lockedBy?: string;
      lockExpiresAt?: string;
      leaseToken?: string;
      errorCode?: string;
      errorMessage?: string;
      cancelReason?: string;
      businessId?: string;
      isTest?: true;
      traceContext?: { [name: string]: string };
    };
    ExternalJobBatchResponse: {
      results: ({
        executionKey: string;
        status: 'completed' | 'failed' | 'requeued' | 'error';
        error?: string;
      })[];
    };
    ExternalJobQueueDepthItem: {
      taskType: string;
      pendingCount: number;
    };
    ExternalJobQueueDepthResponse: {
      items: components['schemas']['ExternalJobQueueDepthItem'][];
    };
    ExternalJobWorker: {
      taskType: string;
      clientID: string;
      lastSeenAt: string;
    };
    ExternalJobWorkersPaginatedResponse: {
      data: components['schemas']['ExternalJobWorker'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    FeelValue: unknown;
    FireBpmnInstanceTimerRequest: {
      reason?: string;
    };
    Health: {
      status: 'live';
    };
    HitRule: {
      ruleID?: string;
      outputs: components['schemas']['FeelValue'];
    };
    Hook: {
      hookID: string;
      /** At the address of the hooks of this installation */
      path: string;
      name: string;
      auth: {
        /** HMAC with SHA-256 over the body */
        type: 'HMAC';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
        header: string;
        /** Text before the signature in the header */
        prefix?: string;
        encoding: 'hex' | 'base64';
      } | {
        /** `Stripe-Signature`. The same signed delivery publishes once within 10 minutes. */
        type: 'STRIPE';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
      } | {
        /** Standard Webhooks; the secret is base64, with or without `whsec_`. The same `webhook-id` publishes once within 10 minutes. */
        type: 'STANDARD';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
      } | {
        /** The header equals the secret */
        type: 'HEADER';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
        header: string;
      };
      /** FEEL over `body`, `headers`, and `query`. Null: the delivery is ignored. */
      messageName: string;
      /** FEEL */
      correlationKeys?: string;
      /** FEEL */
      variables?: string;
      /** FEEL. Deliveries with the same key within 24 hours publish once. */
      idempotencyKey?: string;
      ttl?: string;
      enabled: boolean;
      createdBy: string;
      createdAt: string;
      updatedBy?: string;
      updatedAt?: string;
    };
    HookDeliveriesPaginatedResponse: {
      data: components['schemas']['HookDelivery'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    HookDelivery: {
      deliveryID: string;
      receivedAt: string;
      outcome: 'PUBLISHED' | 'IGNORED' | 'REPEATED' | 'FAILED';
      publicationID?: string;
      problem?: string;
      /** The first 64 KiB, for the newest 1,000 failures of the hook */
      body?: string;
      /** Whether `RedeliverHookDelivery` can deliver it again: it is FAILED and its body was kept whole. The hook must be enabled too. */
      redeliverable: boolean;
    };
    HookRequest: {
      name: string;
      auth: {
        /** HMAC with SHA-256 over the body */
        type: 'HMAC';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
        header: string;
        /** Text before the signature in the header */
        prefix?: string;
        encoding?: 'hex' | 'base64';
      } | {
        /** `Stripe-Signature`. The same signed delivery publishes once within 10 minutes. */
        type: 'STRIPE';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
      } | {
        /** Standard Webhooks; the secret is base64, with or without `whsec_`. The same `webhook-id` publishes once within 10 minutes. */
        type: 'STANDARD';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
      } | {
        /** The header equals the secret */
        type: 'HEADER';
        /** Name of a secret of the project. Both of its values verify. */
        secret: string;
        header: string;
      };
      /** FEEL over `body`, `headers`, and `query`. Null: the delivery is ignored. */
      messageName: string;
      /** FEEL */
      correlationKeys?: string;
      /** FEEL */
      variables?: string;
      /** FEEL. Deliveries with the same key within 24 hours publish once. */
      idempotencyKey?: string;
      ttl?: string;
      enabled?: boolean;
    };
    HooksPaginatedResponse: {
      data: components['schemas']['Hook'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    ImportBpmnInstanceRequest: {
      /** Names the instance where it comes from. Each is imported once. */
      source: {
        system: string;
        id: string;
      };
      /** The version. Exactly one of `definitionID` and `processId` is required. */
      definitionID?: string;
      processId?: string;
      /** Of `processId` (default: the newest). */
      version?: number;
      businessId?: string;
      /** When it started (default: now). */
      createdAt?: string;
      startedBy?: string;
      variables: { [name: string]: unknown };
      scopes?: components['schemas']['ImportedBpmnScope'][];
      tokens: components['schemas']['ImportedBpmnToken'][];
      comments?: components['schemas']['ImportedBpmnComment'][];
      called?: components['schemas']['__schema0'];
      reason?: string;
      /** Checks everything and writes nothing. */
      dryRun?: boolean;
    };
    ImportedBpmnComment: {
      tokenIndex: number;
      text: string;
      author: string;
      createdAt: string;
    };
    ImportedBpmnInstance: {
      /** Names the instance where it comes from. Each is imported once. */
      source: {
        system: string;
        id: string;
      };
      /** The version. Exactly one of `definitionID` and `processId` is required. */
      definitionID?: string;
      processId?: string;
      /** Of `processId` (default: the newest). */
      version?: number;
      businessId?: string;
      /** When it started (default: now). */
      createdAt?: string;
      startedBy?: string;
      variables: { [name: string]: unknown };
      scopes?: components['schemas']['ImportedBpmnScope'][];
      tokens: components['schemas']['ImportedBpmnToken'][];
      comments?: components['schemas']['ImportedBpmnComment'][];
      called?: components['schemas']['__schema0'];
    };
    ImportedBpmnListener: {
      /** A boundary event, or the start event of an event sub-process. */
      nodeID: string;
      dueAt?: string;
      repeats?: number;
    };
    ImportedBpmnLoop: {
      /** Of this instance, from 0. */
      index: number;
      /** All items, on the first open instance. */
      items?: unknown[];
      /** How many instances have completed. */
      completed: number;
      /** Outputs so far by index, with null for missing ones, on the first open instance. */
      outputs?: unknown[];
    };
    ImportedBpmnScope: {
      key: string;
      /** The key of the scope around it (default: the process). */
      parent?: string;
      /** A sub-process, event sub-process, or ad-hoc sub-process. */
      nodeID: string;
      variables?: { [name: string]: unknown };
      multiInstance?: components['schemas']['ImportedBpmnLoop'];
      /** The events that still listen. Absent: all of them, afresh. Empty: none of them. */
      listening?: components['schemas']['ImportedBpmnListener'][];
    };
    ImportedBpmnTask: {
      assignee?: string;
      candidateUsers?: string[];
      candidateGroups?: string[];
      dueDate?: string;
      followUpDate?: string;
      priority?: number;
      createdAt?: string;
    };
    ImportedBpmnToken: {
      nodeID: string;
      /** The scope directly around the node (default: the process). */
      scopeKey?: string;
      /** Local to the node. */
      variables?: { [name: string]: unknown };
      multiInstance?: components['schemas']['ImportedBpmnLoop'];
      /** Of a joining gateway: the sequence flows whose tokens have arrived. */
      arrived?: string[];
      /** The events that still listen. Absent: all of them, afresh. Empty: none of them. */
      listening?: components['schemas']['ImportedBpmnListener'][];
      /** Due time of the timer that it waits for. One that has passed fires at once. */
      dueAt?: string;
      repeats?: number;
      /** Of its job. */
      retries?: number;
      /** The token waits at this incident. A type that is no `errorType` becomes `Unknown`. */
      incident?: {
        type: string;
        message: string;
      };
      /** Replaces what the model says about the user task, member by member. */
      task?: components['schemas']['ImportedBpmnTask'];
    };
    IncidentFilter: {
      definitionID?: string;
      processId?: string;
      workflowID?: string;
      includeChildren?: boolean;
      status?: 'open' | 'resolved';
      nodeID?: string;
      errorType?: ('BpmnError' | 'EscalationError' | 'CompensationError' | 'FeelError' | 'NoHandler' | 'GatewayNoMatch' | 'TimerResolution' | 'LinkNotFound' | 'MigrationError' | 'SubscriptionError' | 'RotationLimitError' | 'SnapshotSizeExceeded' | 'CallActivityCanceled' | 'ExternalRowRefreshError' | 'JobLockLost' | 'DecisionNotFound' | 'EngineError' | 'Unknown')[];
      errorCode?: string;
      messageContains?: string;
      groupID?: string;
      since?: string;
      until?: string;
    };
    InstanceFilter: {
      definitionID?: string;
      processId?: string;
      status?: ('RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED')[];
      hasIncident?: boolean;
      suspended?: boolean;
      createdAfter?: string;
      createdBefore?: string;
      completedAfter?: string;
      completedBefore?: string;
      /** At least the first four characters, in lower case. */
      workflowIDPrefix?: string;
      businessId?: string;
      businessIdPrefix?: string;
      failureReasonContains?: string;
      startedBy?: string;
      root?: boolean;
      activeNodeID?: string;
      parentWorkflowID?: string;
      importedFrom?: string;
      importedFromID?: string;
      restartedFrom?: string;
      overTarget?: boolean;
    };
    InstanceResult: {
      workflowID: string;
      status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
      completedAt?: string;
      variables?: { [name: string]: unknown };
      failureReason?: string;
      incidents?: components['schemas']['BpmnIncident'][];
    };
    Limit: {
      taskType: string;
      concurrent?: number;
      rate?: {
        count: number;
        per: string;
      };
      leased: number;
      held: number;
      keys?: components['schemas']['LimitKey'][];
      updatedBy: string;
      updatedAt: string;
    };
    LimitKey: {
      key?: string | number | boolean;
      leased: number;
      held: number;
    };
    LimitPaginatedResponse: {
      data: components['schemas']['Limit'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    McpAnswer: {
      jsonrpc: '2.0';
      id?: string | number;
      result?: { [name: string]: unknown };
      error?: {
        code: number;
        message: string;
        data?: { [name: string]: unknown };
      };
    };
    McpMessage: {
      jsonrpc: '2.0';
      id?: string | number;
      method: string;
      params?: { [name: string]: unknown };
    };
    MigrateBpmnInstanceRequest: {
      targetVersion: number;
      elementMappings?: components['schemas']['ElementMapping'][];
      variables?: { [name: string]: unknown };
      reason?: string;
    };
    MigrateBpmnInstancesRequest: {
      targetVersion: number;
      elementMappings?: components['schemas']['ElementMapping'][];
      variables?: { [name: string]: unknown };
      workflowIDs?: string[];
      reason?: string;
    };
    MigratingInstance: {
      workflowID: string;
      status: 'PENDING' | 'MIGRATED' | 'REFUSED';
      issues?: string[];
    };
    MigrationOfInstances: {
      migrationID: string;
      status: 'RUNNING' | 'COMPLETED';
      definitionID: string;
      createdBy: string;
      createdAt: string;
      completedAt?: string;
      total: number;
      migrated: number;
      refused: number;
      results: {
        data: components['schemas']['MigratingInstance'][];
        pagination: components['schemas']['PaginationMetadata'];
      };
    };
    MigrationOfInstancesValidationResult: {
      valid: boolean;
      issues: string[];
      total: number;
      checked: number;
    };
    MigrationValidationResult: {
      valid: boolean;
      issues: string[];
    };
    ModificationInstruction: {
      type: 'START_BEFORE_NODE';
      nodeID: string;
      scopeID?: string;
      variables?: { [name: string]: unknown };
    } | {
      type: 'CANCEL_TOKEN';
      nodeID: string;
      scopeID?: string;
    };
    ModifyBpmnInstanceRequest: {
      instructions: components['schemas']['ModificationInstruction'][];
      reason?: string;
    };
    NotReady: {
      status: 'not ready';
      missing: {
        name: string;
        message: string;
      }[];
    };
    OrganizationAuditEntry: {
      projectID: string;
      id: string;
      time: string;
      actor: string;
      actorType: 'PERSON' | 'SERVICE' | 'HOOK';
      via: 'REST' | 'MCP' | 'NEXUS' | 'BATCH' | 'HOOK' | 'SCHEDULE';
      /** The id of the operation. */
      operation: string;
      /** `PENDING` until the instance or the identity provider has answered. */
      outcome: 'PENDING' | 'APPLIED' | 'REJECTED';
      /** Why it was rejected. */
      code?: string;
      /** Chosen by the host; in the response and in its log. */
      requestID?: string;
      /** `X-Request-Id` of the caller, who can repeat it. */
      clientRequestID?: string;
      reason?: string;
      workflowID?: string;
      definitionID?: string;
      processId?: string;
      resourceID?: string;
      deploymentID?: string;
      executionKey?: string;
      incidentID?: string;
      publicationID?: string;
      hookID?: string;
      subscriptionID?: string;
      batchID?: string;
      /** The member that was changed. */
      subject?: string;
      /** Names of the variables or settings that were set, or of the variables that were redacted. */
      names?: string[];
      /** Created ids and set values, by name. `{from, to}` shows a value that was replaced. Never a secret or the value of a variable. */
      details?: { [name: string]: unknown };
    };
    OrganizationAuditEntryPaginatedResponse: {
      data: components['schemas']['OrganizationAuditEntry'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    PaginatedDecisionsResponse: {
      data: components['schemas']['DecisionSummary'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    PaginatedDefinitionsResponse: {
      data: components['schemas']['Definition'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    PaginatedExecutionsResponse: {
      data: components['schemas']['Execution'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    PaginationMetadata: {
      page: number;
      pageSize: number;
      total: number;
      totalPages: number;
      isTotalEstimate?: true;
    };
    PollBpmnJobRequest: {
      taskType?: string;
      taskTypes?: components['schemas']['PolledBpmnTaskType'][];
      clientID: string;
      lockDuration?: string;
      timeout?: string;
      /** Most jobs to lease, of all types together. Fewer are leased when their variables take more than 4 MiB. */
      maxJobs?: number;
      fetchVariables?: string[];
      isTest?: boolean;
    };
    PollBpmnNextJobsRequest: {
      taskType?: string;
      taskTypes?: components['schemas']['PolledBpmnTaskType'][];
      lockDuration?: string;
      timeout?: string;
      /** Most jobs to lease, of all types together. Fewer are leased when their variables take more than 4 MiB. */
      maxJobs?: number;
      fetchVariables?: string[];
    };
    PolledBpmnTaskType: {
      taskType: string;
      lockDuration?: string;
      fetchVariables?: string[];
    };
    PreviewedBpmnBatch: {
      total: number;
      workflowIDs?: string[];
      incidentIDs?: string[];
    };
    Project: {
      id: string;
      name: string;
      createdAt: string;
      updatedAt?: string;
    };
    ProjectMember: {
      subject: string;
      name?: string;
      email?: string;
      role: 'viewer' | 'executor' | 'editor' | 'admin';
    };
    ProjectMemberPaginatedResponse: {
      data: components['schemas']['ProjectMember'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    ProjectOfCaller: {
      id: string;
      name: string;
      createdAt: string;
      updatedAt?: string;
      role: 'viewer' | 'executor' | 'editor' | 'admin';
    };
    ProjectSettings: {
      name: string;
      description: string | null;
      messageTtl: string | null;
      signalTtl: string | null;
      historyRetention: string | null;
      auditRetention: string | null;
      eventRetention: string | null;
      validateForms: boolean;
      agentPrices: components['schemas']['AgentPrice'][];
    };
    PublishBpmnMessageRequest: {
      messageName: string;
      correlationKeys?: components['schemas']['CorrelationKeys'];
      variables?: { [name: string]: unknown };
      ttl?: string;
      isTest?: boolean;
    };
    PublishBpmnSignalRequest: {
      signalName: string;
      variables?: { [name: string]: unknown };
      ttl?: string;
      isTest?: boolean;
    };
    PutBpmnProcessSettingsRequest: {
      uniqueBusinessId?: 'NONE' | 'RUNNING' | 'EVER';
      concurrentInstances?: number;
      /** FEEL over the start variables. A text, a number, or a boolean; null is the group without a key */
      concurrencyKey?: string;
      whenFull?: 'QUEUE' | 'REFUSE';
      maxQueued?: number;
      reason?: string;
    };
    PutBpmnTargetsRequest: {
      targets: {
        /** Absent for the instance as a whole. */
        nodeID?: string;
        duration: string;
      }[];
    };
    PutLimitRequest: {
      concurrent?: number;
      rate?: {
        count: number;
        per: string;
      };
      reason?: string;
    };
    Ready: {
      status: 'ready';
    };
    RedactBpmnVariablesRequest: {
      variables: string[];
      reason?: string;
    };
    RedeliverDeadLettersRequest: {
      /** Ids of events. Absent: the oldest 10,000. */
      ids?: string[];
    };
    ResolveBpmnIncidentRequest: {
      variables?: { [name: string]: unknown };
      reason?: string;
    };
    RestartBpmnInstanceRequest: {
      /** The variables that the ended instance began with, or those that it ended with. */
      variablesFrom?: 'INITIAL' | 'LAST';
      /** Replace those of the same name. */
      variables?: { [name: string]: unknown };
      /** Another version of the same process (default: the version that the instance ran last). */
      processDefinitionID?: string;
      /** Default: that of the ended instance. */
      businessId?: string;
      startAt?: components['schemas']['StartAt'][];
      /** Returns only these variables in `result` (default: all). */
      fetchVariables?: string[];
      reason?: string;
    };
    ResumeBpmnDefinitionRequest: {
      reason?: string;
    };
    ResumeBpmnInstanceRequest: {
      reason?: string;
    };
    RunBpmnStartTimerRequest: {
      reason?: string;
    };
    ScheduledSuspension: {
      at: string;
      instances: boolean;
      scheduledBy: string;
      reason?: string;
    };
    Secret: {
      name: string;
      hosts: string[];
    };
    SecretsPaginatedResponse: {
      data: components['schemas']['Secret'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    SetBpmnAdHocVariablesRequest: {
      variables?: { [name: string]: unknown };
      reason?: string;
    };
    SkipBpmnStartTimerRequest: {
      reason?: string;
    };
    StartAt: {
      nodeID: string;
      variables?: { [name: string]: unknown };
    };
    StartBpmnInstanceRequest: {
      processDefinitionID?: string;
      processId?: string;
      version?: number;
      versionTag?: string;
      variables?: { [name: string]: unknown };
      businessId?: string;
      startAt?: components['schemas']['StartAt'][];
      fetchVariables?: string[];
    };
    StartBpmnTestInstanceRequest: {
      processID?: string;
      variables?: { [name: string]: unknown };
      businessId?: string;
    };
    StartedBpmnInstance: {
      workflowID: string;
      definitionID: string;
      processId: string;
      processVersion: number;
      result?: components['schemas']['InstanceResult'];
    };
    StartedMigration: {
      migrationID: string;
    };
    SuspendBpmnDefinitionRequest: {
      /** Whether running instances pause as well. With false, only starts are refused. */
      instances?: boolean;
      /** When it takes effect, at most 366 days ahead (default: now). */
      at?: string;
      reason?: string;
    };
    SuspendBpmnInstanceRequest: {
      reason?: string;
    };
    SuspensionEntry: {
      suspendedAt: string;
      suspendedBy?: string;
      reason?: string;
    };
    TriggerBpmnAdHocNodeRequest: {
      nodeID: string;
      reason?: string;
    };
    UpdateBpmnExternalJobRequest: {
      retries?: number;
      priority?: number;
      availableAt?: string;
      reason?: string;
    };
    UpdateBpmnInstanceTimerRequest: {
      /** At most 366 days ahead; a time in the past is now */
      dueAt: string;
      reason?: string;
    };
    UpdateDefinitionRequest: {
      xml?: string;
      version?: number;
      name?: string;
    };
    UpdateEventSubscriptionRequest: {
      name?: string;
      /** Must be in EGRESS_ALLOW of the host. */
      url?: string;
      /** The name of the secret that signs: base64 of at least 16 bytes, with or without `whsec_`. */
      secret?: string;
      types?: ('perdure.instance.started' | 'perdure.instance.imported' | 'perdure.instance.completed' | 'perdure.instance.failed' | 'perdure.instance.canceled' | 'perdure.instance.suspended' | 'perdure.instance.resumed' | 'perdure.instance.migrated' | 'perdure.incident.raised' | 'perdure.incident.resolved' | 'perdure.task.created' | 'perdure.task.assigned' | 'perdure.task.completed' | 'perdure.task.failed' | 'perdure.task.canceled' | 'perdure.task.overdue' | 'perdure.definition.deployed' | 'perdure.definition.suspended' | 'perdure.definition.resumed' | 'perdure.target.missed' | 'perdure.batch.completed')[];
      /** Null: of all processes. */
      processIds?: string[] | null;
      enabled?: boolean;
    };
    UpdateUserTaskAssignmentRequest: {
      assignee?: string | null;
      candidateUsers?: string[];
      candidateGroups?: string[];
      dueDate?: string | null;
      followUpDate?: string | null;
      priority?: number;
      expectedAssignee?: string | null;
      reason?: string;
    };
    UserTask: {
      id: string;
      executionKey: string;
      workflowID: string;
      parentWorkflowID?: string;
      definitionID: string;
      processId: string;
      processName?: string;
      processVersion: number;
      nodeID: string;
      name?: string;
      assignee?: string;
      assignedAt?: string;
      assignedBy?: string;
      candidateUsers?: string[];
      candidateGroups?: string[];
      formKey?: string;
      formID?: string;
      formVersion?: number;
      dueDate?: string;
      followUpDate?: string;
      priority: number;
      variables?: { [name: string]: unknown };
      /** Only in lists: `variables` and `completionVariables` are omitted because the rows before it on the page are so large. Request a smaller page. */
      variablesOmitted?: true;
      headers?: { [name: string]: string };
      status: 'CREATED' | 'COMPLETED' | 'CANCELED' | 'FAILED';
      cancelReason?: string;
      errorCode?: string;
      completionVariables?: { [name: string]: unknown };
      createdAt: string;
      completedAt?: string;
      completedBy?: string;
      failedBy?: string;
      businessId?: string;
      isTest?: true;
      /** The event whose listeners decide about a request now. Until they have, no other request is accepted. */
      listening?: 'creating' | 'assigning' | 'updating' | 'completing' | 'canceling';
      /** The last request that a listener has denied. Absent once there is another request. */
      denied?: components['schemas']['UserTaskDenial'];
    };
    UserTaskComment: {
      commentID: string;
      executionKey: string;
      text: string;
      /** Absent if the comment was imported. */
      author?: string;
      /** A person of the system that the comment was imported from. */
      importedAuthor?: string;
      createdAt: string;
    };
    UserTaskCommentPaginatedResponse: {
      data: components['schemas']['UserTaskComment'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    UserTaskDenial: {
      eventType: 'creating' | 'assigning' | 'updating' | 'completing' | 'canceling';
      reason?: string;
      at: string;
    };
    ValidateBpmnResourceRequest: {
      xml: string;
    };
    Version: {
      version: string;
      buildTime?: string;
      commit?: string;
    };
    /** The called instance of each token at a call activity. */
    __schema0: {
      tokenIndex: number;
      instance: components['schemas']['ImportedBpmnInstance'];
    }[];
    /** RFC 9457 problem details. */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      /** `urn:perdure:request:` followed by the request id. */
      instance: string;
      code: 'BAD_REQUEST' | 'INVALID_MODEL' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'DEFINITION_SUSPENDED' | 'BUSINESS_ID_TAKEN' | 'LIMIT_REACHED' | 'SUSPENDED' | 'INSTANCE_ENDED' | 'LEASE_LOST' | 'POSITION_EXPIRED' | 'IDEMPOTENCY_KEY_REUSED' | 'MEMBERSHIP_MANAGED_BY_PROVIDER' | 'PRECONDITION_FAILED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'TOO_MANY_REQUESTS' | 'INTERNAL_ERROR' | 'UNAVAILABLE';
      message: string;
      details: { [name: string]: unknown };
      requestID: string;
    };
  };
}

export interface Refusal {
  headers: { [name: string]: unknown };
  content: { 'application/problem+json': components['schemas']['Problem'] };
}

/** The named schemas: `Schemas['UserTask']`. */
export type Schemas = components['schemas'];

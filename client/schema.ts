/** Generated from the OpenAPI document by `npm run generate:client`; changes by hand get lost. */

export interface paths {
  '/dmn/evaluate/design': {
    /** Evaluates decisions of a file that is not kept. Role: authenticated. */
    post: operations['EvaluateDesign'];
  };
  '/dmn/evaluate/design/batch': {
    /** Evaluates all decisions of a file that is not kept, for each of several inputs. Role: authenticated. */
    post: operations['EvaluateDesignBatch'];
  };
  '/docs': {
    /** This interface as a page for people. Role: public. */
    get: operations['GetDocs'];
  };
  '/health': {
    /** Whether the process lives. Looks at nothing outside of it: a restart would not mend that. Role: public. */
    get: operations['GetHealth'];
  };
  '/openapi.json': {
    /** This interface as an OpenAPI 3.1 document. Role: public. */
    get: operations['GetOpenApi'];
  };
  '/projects': {
    /** The projects in which the caller has a role. Role: authenticated. */
    get: operations['ListProjects'];
    /** Creates a project under a new id. Who may use it is what the identity provider says. Role: org-admin. */
    post: operations['CreateProject'];
  };
  '/projects/{projectID}': {
    /** One project. Role: viewer. */
    get: operations['GetProject'];
    /** Deletes a project with everything in it. Refused while an instance of it runs. Role: admin. */
    delete: operations['DeleteProject'];
  };
  '/projects/{projectID}/bpmn/conditionals/evaluate': {
    /** Starts an instance at every conditional start event whose condition is true with the variables. Role: executor. */
    post: operations['EvaluateBpmnConditionals'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}': {
    /** One deployed version of a process. Role: viewer. */
    get: operations['GetBpmnDefinition'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/migrate': {
    /** Lets the running instances of a version go on with another version, in the background. Role: editor. */
    post: operations['MigrateBpmnInstances'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/migrate/validate': {
    /** Tells what would stand in the way of migrating the running instances of a version. Changes nothing. Role: editor. */
    post: operations['ValidateBpmnInstancesMigration'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/nodes': {
    /** How many running instances of a version stand at each of its nodes, and how many incidents are open there. Role: viewer. */
    get: operations['GetBpmnDefinitionNodes'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/resume': {
    /** Lets the instances of a version of a process go on and new ones start. Role: admin. */
    post: operations['ResumeBpmnDefinition'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/suspend': {
    /** Pauses every running instance of one version of a process and refuses new ones. Role: admin. */
    post: operations['SuspendBpmnDefinition'];
  };
  '/projects/{projectID}/bpmn/definitions/{definitionID}/xml': {
    /** The BPMN file that a definition was deployed with. Role: viewer. */
    get: operations['GetBpmnDefinitionXml'];
  };
  '/projects/{projectID}/bpmn/external-jobs': {
    /** External jobs, newest first. Role: viewer. */
    get: operations['ListBpmnExternalJobs'];
  };
  '/projects/{projectID}/bpmn/external-jobs/batch/complete': {
    /** Completes up to 100 jobs, each as if it were completed alone. Role: executor. */
    post: operations['CompleteBpmnExternalJobsBatch'];
  };
  '/projects/{projectID}/bpmn/external-jobs/batch/error': {
    /** Reports the failure of up to 100 jobs, each as if it were reported alone. Role: executor. */
    post: operations['ThrowBpmnExternalJobErrorsBatch'];
  };
  '/projects/{projectID}/bpmn/external-jobs/poll': {
    /** Takes pending jobs of one task type under a lease, waiting for the first one if there are none. Role: executor. */
    post: operations['PollBpmnExternalJobs'];
  };
  '/projects/{projectID}/bpmn/external-jobs/queue-depth': {
    /** How many jobs of each task type are pending, leased ones included. Role: viewer. */
    get: operations['GetBpmnExternalJobsQueueDepth'];
  };
  '/projects/{projectID}/bpmn/external-jobs/workers': {
    /** The clients that asked for jobs within the last minute, by task type. Role: viewer. */
    get: operations['ListBpmnExternalJobWorkers'];
  };
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete': {
    /** Completes a job with its result. Role: executor. */
    post: operations['CompleteBpmnExternalJob'];
  };
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/error': {
    /** Reports that a job has failed. Role: executor. */
    post: operations['ThrowBpmnExternalJobError'];
  };
  '/projects/{projectID}/bpmn/external-jobs/{executionKey}/heartbeat': {
    /** Lets the lease on a job last from now on. Only its holder can: 404 for everybody else. Role: executor. */
    post: operations['HeartbeatBpmnExternalJob'];
  };
  '/projects/{projectID}/bpmn/incidents': {
    /** Incidents across instances, newest first. Role: viewer. */
    get: operations['ListBpmnIncidents'];
  };
  '/projects/{projectID}/bpmn/instances': {
    /** Instances, newest first. Role: viewer. */
    get: operations['ListBpmnInstances'];
    /** Starts an instance of a deployed process. Role: executor. */
    post: operations['StartBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/search': {
    /** Finds instances of one definition by a FEEL predicate over their captured variables, newest first. Role: viewer. */
    post: operations['SearchBpmnInstances'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}': {
    /** One instance: where it stands, its variables and its open incidents. Role: viewer. */
    get: operations['GetBpmnInstance'];
    /** Cancels an instance and every instance it has called. Role: editor. */
    delete: operations['CancelBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/trigger': {
    /** Begins an activity inside an active ad-hoc sub-process. Role: executor. */
    post: operations['TriggerBpmnAdHocNode'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/variables': {
    /** Merges variables into the scope of an active ad-hoc sub-process and looks at its completion condition again. Role: executor. */
    post: operations['SetBpmnAdHocVariables'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/children': {
    /** The instances that this one has called, in the order of the calls. Role: viewer. */
    get: operations['GetBpmnInstanceChildren'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/commands/{commandID}': {
    /** What became of a request that was answered 202. Role: viewer. */
    get: operations['GetBpmnCommand'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/external-jobs': {
    /** The external jobs of one instance, newest first. Role: viewer. */
    get: operations['ListBpmnInstanceExternalJobs'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/history': {
    /** What an instance has done: one entry per activation of a node, in the order they began. Role: viewer. */
    get: operations['ListBpmnInstanceHistory'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/incidents': {
    /** The incidents of one instance, newest first. Role: viewer. */
    get: operations['ListBpmnInstanceIncidents'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve': {
    /** Runs the activity that stands at an incident again, with other variables if need be. Role: editor. */
    post: operations['ResolveBpmnIncident'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/migrate': {
    /** Lets a running instance go on with another version of its process. Role: editor. */
    post: operations['MigrateBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/migrate/validate': {
    /** Tells whether an instance as it stands now could be migrated, and everything that stands in the way. Changes nothing. Role: editor. */
    post: operations['ValidateBpmnInstanceMigration'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/modify': {
    /** Puts tokens before nodes and takes tokens away: all of the instructions, or none. Role: admin. */
    post: operations['ModifyBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/replay': {
    /** The instance as it was after one of its facts, the last one unless said. Role: viewer. */
    get: operations['ReplayBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/replay/facts': {
    /** The facts of an instance in the order in which they happened; each can be looked at by its number in the replay view. Role: viewer. */
    get: operations['ListBpmnInstanceFacts'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/resume': {
    /** Lets an instance go on that was suspended by itself. Role: admin. */
    post: operations['ResumeBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/suspend': {
    /** Pauses an instance and every instance below it. Role: admin. */
    post: operations['SuspendBpmnInstance'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/suspension': {
    /** What pauses an instance, and what waits to happen when it is resumed. Role: viewer. */
    get: operations['GetBpmnInstanceSuspension'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/timeline': {
    /** What was done to an instance from outside, in the order in which it was done. Role: viewer. */
    get: operations['ListBpmnInstanceTimeline'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/user-tasks': {
    /** The user tasks of one instance, newest first. Role: executor. */
    get: operations['ListBpmnInstanceUserTasks'];
  };
  '/projects/{projectID}/bpmn/instances/{workflowID}/variables': {
    /** The variables of the process, as they are or were at its end. Role: viewer. */
    get: operations['GetBpmnInstanceVariables'];
    /** Sets variables of the process; null takes one away. Those that are not named stay as they are. Role: editor. */
    put: operations['UpdateBpmnInstanceVariables'];
  };
  '/projects/{projectID}/bpmn/messages': {
    /** Publishes a message to the one subscription that matches and has waited longest, or to a process that it starts. Role: executor. */
    post: operations['PublishBpmnMessage'];
  };
  '/projects/{projectID}/bpmn/migrations/{migrationID}': {
    /** How far a migration of instances has come, and what has become of each of them. Role: editor. */
    get: operations['GetBpmnMigration'];
  };
  '/projects/{projectID}/bpmn/processes': {
    /** Deployed processes with all their versions, by id. Role: viewer. */
    get: operations['ListBpmnProcesses'];
  };
  '/projects/{projectID}/bpmn/processes/{processID}/versions': {
    /** The deployed versions of one process, newest first. Role: viewer. */
    get: operations['ListBpmnProcessVersions'];
  };
  '/projects/{projectID}/bpmn/resources': {
    /** Resources, newest first. Role: viewer. */
    get: operations['ListBpmnResources'];
    /** Keeps a BPMN file as a draft. What would keep it from being deployed comes back as warnings. Role: editor. */
    post: operations['CreateBpmnResource'];
  };
  '/projects/{projectID}/bpmn/resources/by-definitions-id/{definitionsID}': {
    /** The revisions of one file: resources whose `definitions` element has this id, newest first. Role: viewer. */
    get: operations['ListBpmnResourcesByDefinitionsID'];
  };
  '/projects/{projectID}/bpmn/resources/latest': {
    /** Files by their newest revision, newest first. Role: viewer. */
    get: operations['ListLatestBpmnResources'];
  };
  '/projects/{projectID}/bpmn/resources/{resourceID}': {
    /** One resource, with the processes it was deployed as. Role: viewer. */
    get: operations['GetBpmnResource'];
    /** Replaces a draft. What is deployed is never changed: create a new resource instead. Role: editor. */
    put: operations['UpdateBpmnResource'];
    /** Deletes a resource and what it was deployed as. Refused while there are instances of it, ended ones too. Role: editor. */
    delete: operations['DeleteBpmnResource'];
  };
  '/projects/{projectID}/bpmn/resources/{resourceID}/deploy': {
    /** Makes each process of a resource the newest version of that process. Role: editor. */
    post: operations['DeployBpmnResource'];
  };
  '/projects/{projectID}/bpmn/resources/{resourceID}/test': {
    /** Starts an instance of a process of this very resource, whether or not a newer version is deployed. Role: editor. */
    post: operations['StartBpmnTestInstance'];
  };
  '/projects/{projectID}/bpmn/signals': {
    /** Publishes a signal to everyone who waits for it, and to each instance that begins to wait before its ttl has ended. Role: executor. */
    post: operations['PublishBpmnSignal'];
  };
  '/projects/{projectID}/bpmn/user-tasks': {
    /** User tasks, newest first. Role: executor. */
    get: operations['ListBpmnUserTasks'];
  };
  '/projects/{projectID}/bpmn/user-tasks/me': {
    /** Open user tasks that name the caller: as assignee, as candidate user, or through a group of the token. Role: viewer. */
    get: operations['ListBpmnUserTasksForCaller'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}': {
    /** One user task; a viewer sees it when it names the viewer. Role: viewer. */
    get: operations['GetBpmnUserTask'];
    /** Changes who an open task is assigned to and who its candidates are. Role: executor. */
    patch: operations['UpdateBpmnUserTaskAssignment'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete': {
    /** Completes a user task. Executors may complete any, a viewer those that name the viewer. Role: viewer. */
    post: operations['CompleteBpmnUserTask'];
  };
  '/projects/{projectID}/bpmn/user-tasks/{executionKey}/error': {
    /** Fails a user task with a BPMN error: an error event catches it, or it becomes an incident. Role: viewer. */
    post: operations['ThrowBpmnUserTaskError'];
  };
  '/projects/{projectID}/bpmn/validate': {
    /** What deploying a BPMN file would say, all problems at once. Nothing is stored. Role: editor. */
    post: operations['ValidateBpmnXml'];
  };
  '/projects/{projectID}/dmn/decisions': {
    /** The decisions of the newest version of each DMN file, by name. Role: viewer. */
    get: operations['ListDecisions'];
  };
  '/projects/{projectID}/dmn/definitions': {
    /** All versions of all DMN files, newest first. Role: viewer. */
    get: operations['ListDefinitions'];
    /** Keeps a DMN file as the next version of its definitions. What is wrong with it comes back as warnings. Role: editor. */
    post: operations['CreateDefinition'];
  };
  '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}': {
    /** A version of a DMN file by the id that the file gives itself; the newest unless asked. Role: viewer. */
    get: operations['GetDefinitionByDefinitionsID'];
  };
  '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/evaluate': {
    /** Evaluates decisions of a file by the id that the file gives itself, in its newest version unless asked, and records it. Role: executor. */
    post: operations['EvaluateByDefinitionsID'];
  };
  '/projects/{projectID}/dmn/definitions/by-definitions-id/{definitionsID}/versions': {
    /** The versions of one DMN file, newest first. Role: viewer. */
    get: operations['ListDefinitionVersions'];
  };
  '/projects/{projectID}/dmn/definitions/latest': {
    /** The newest version of each DMN file, newest first. Role: viewer. */
    get: operations['ListLatestDefinitions'];
  };
  '/projects/{projectID}/dmn/definitions/{definitionID}': {
    /** A version of a DMN file. Role: viewer. */
    get: operations['GetDefinition'];
    /** Changes a version: its name at any time, its file and number until it is used. Role: editor. */
    put: operations['UpdateDefinition'];
    /** Deletes a version that was never used. Role: editor. */
    delete: operations['DeleteDefinition'];
  };
  '/projects/{projectID}/dmn/definitions/{definitionID}/evaluate': {
    /** Evaluates decisions of a version and records it. `version` means another version of the same file. Role: executor. */
    post: operations['EvaluateStored'];
  };
  '/projects/{projectID}/dmn/definitions/{definitionID}/executions': {
    /** Recorded evaluations of one version, newest first. Role: viewer. */
    get: operations['ListExecutions'];
  };
  '/projects/{projectID}/dmn/executions': {
    /** Recorded evaluations of a project, newest first. Role: viewer. */
    get: operations['ListProjectExecutions'];
  };
  '/projects/{projectID}/dmn/executions/{executionID}': {
    /** A recorded evaluation. Role: viewer. */
    get: operations['GetExecution'];
  };
  '/projects/{projectID}/members': {
    /** Who has a role in a project, as the identity provider knows it now. Role: admin. */
    get: operations['ListProjectMembers'];
  };
  '/projects/{projectID}/members/{subject}': {
    /** Gives somebody a role in a project, in place of the one they have. Role: admin. */
    put: operations['PutProjectMember'];
    /** Ends a membership at the identity provider. Role: admin. */
    delete: operations['DeleteProjectMember'];
  };
  '/projects/{projectID}/settings': {
    /** The settings of a project. Role: admin. */
    get: operations['GetProjectSettings'];
    /** Changes settings of a project; those that are not named stay. Role: admin. */
    patch: operations['ChangeProjectSettings'];
  };
  '/ready': {
    /** Whether the host can serve: Postgres, Temporal and the keys of the issuers are there. Role: public. */
    get: operations['GetReadiness'];
  };
  '/version': {
    /** Which build of the host answers. Role: public. */
    get: operations['GetVersion'];
  };
}

export interface operations {
  /** Evaluates decisions of a file that is not kept. Role: authenticated. */
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
      /** Results by decision name. */
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
  /** Evaluates all decisions of a file that is not kept, for each of several inputs. Role: authenticated. */
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
      /** Results in the order of the inputs. */
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
  /** This interface as a page for people. Role: public. */
  GetDocs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The page. */
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
  /** Whether the process lives. Looks at nothing outside of it: a restart would not mend that. Role: public. */
  GetHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** It lives. */
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
  /** This interface as an OpenAPI 3.1 document. Role: public. */
  GetOpenApi: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The document. */
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
  /** The projects in which the caller has a role. Role: authenticated. */
  ListProjects: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** All of them, by name. */
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
  /** Creates a project under a new id. Who may use it is what the identity provider says. Role: org-admin. */
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
      /** The project. */
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
  /** One project. Role: viewer. */
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
      /** The project. */
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
  /** Deletes a project with everything in it. Refused while an instance of it runs. Role: admin. */
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
      /** It is gone. */
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
  /** Starts an instance at every conditional start event whose condition is true with the variables. Role: executor. */
  EvaluateBpmnConditionals: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours: the same key with the same request gives the first answer, with another one 409. */
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
      /** What was started; the variables are those of each instance. */
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
  /** One deployed version of a process. Role: viewer. */
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
      /** The definition. */
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
  /** Lets the running instances of a version go on with another version, in the background. Role: editor. */
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
      /** It has begun. */
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
  /** Tells what would stand in the way of migrating the running instances of a version. Changes nothing. Role: editor. */
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
      /** The issues; none when it is valid. */
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
  /** How many running instances of a version stand at each of its nodes, and how many incidents are open there. Role: viewer. */
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
      /** The counts, by the ids of the nodes. */
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
  /** Lets the instances of a version of a process go on and new ones start. Role: admin. */
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
      /** It is not suspended any more. */
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
  /** Pauses every running instance of one version of a process and refuses new ones. Role: admin. */
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
      /** It is suspended. */
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
  /** The BPMN file that a definition was deployed with. Role: viewer. */
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
      /** The file. */
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
  /** External jobs, newest first. Role: viewer. */
  ListBpmnExternalJobs: {
    parameters: {
      query?: {
        taskType?: string;
        status?: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
        workflowID?: string;
        businessId?: string;
        createdAfter?: string;
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
      /** One page of jobs. */
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
  /** Completes up to 100 jobs, each as if it were completed alone. Role: executor. */
  CompleteBpmnExternalJobsBatch: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
          }[];
        };
      };
    };
    responses: {
      /** One result per item, in their order. */
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
  /** Reports the failure of up to 100 jobs, each as if it were reported alone. Role: executor. */
  ThrowBpmnExternalJobErrorsBatch: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** One result per item, in their order. */
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
  /** Takes pending jobs of one task type under a lease, waiting for the first one if there are none. Role: executor. */
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
      /** The jobs; they are this client's until `lockExpiresAt`. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ExternalJob'][];
        };
      };
      /** No job came in time. */
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
  /** How many jobs of each task type are pending, leased ones included. Role: viewer. */
  GetBpmnExternalJobsQueueDepth: {
    parameters: {
      query?: {
        createdAfter?: string;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The task types that have pending jobs, by name. */
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
  /** The clients that asked for jobs within the last minute, by task type. Role: viewer. */
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
      /** One page of clients. */
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
  /** Completes a job with its result. Role: executor. */
  CompleteBpmnExternalJob: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
          poll?: components['schemas']['PollBpmnNextJobsRequest'];
        };
      };
    };
    responses: {
      /** The instance has taken the result. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnJobEnd'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** Reports that a job has failed. Role: executor. */
  ThrowBpmnExternalJobError: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** The job is to be tried again, or the instance has taken the error. */
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
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** Lets the lease on a job last from now on. Only its holder can: 404 for everybody else. Role: executor. */
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
      /** Until when the lease lasts. */
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
  /** Incidents across instances, newest first. Role: viewer. */
  ListBpmnIncidents: {
    parameters: {
      query?: {
        definitionID?: string;
        workflowID?: string;
        includeChildren?: boolean;
        status?: 'open' | 'resolved';
        errorType?: 'BpmnError' | 'EscalationError' | 'CompensationError' | 'FeelError' | 'NoHandler' | 'GatewayNoMatch' | 'TimerResolution' | 'LinkNotFound' | 'MigrationError' | 'SubscriptionError' | 'RotationLimitError' | 'SnapshotSizeExceeded' | 'CallActivityCanceled' | 'ExternalRowRefreshError' | 'JobLockLost' | 'DecisionNotFound' | 'EngineError' | 'Unknown';
        since?: string;
        until?: string;
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
      /** One page of incidents. */
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
  /** Instances, newest first. Role: viewer. */
  ListBpmnInstances: {
    parameters: {
      query?: {
        definitionID?: string;
        processId?: string;
        status?: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
        hasIncident?: boolean;
        suspended?: boolean;
        createdAfter?: string;
        businessId?: string;
        activeNodeID?: string;
        parentWorkflowID?: string;
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
      /** One page of instances. */
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
  /** Starts an instance of a deployed process. Role: executor. */
  StartBpmnInstance: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours: the same key with the same request gives the first answer, with another one 409. */
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
      /** It is started. */
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
  /** Finds instances of one definition by a FEEL predicate over their captured variables, newest first. Role: viewer. */
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
          limit?: number;
          cursor?: string;
        };
      };
    };
    responses: {
      /** One page of matches and what was scanned for it. */
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
  /** One instance: where it stands, its variables and its open incidents. Role: viewer. */
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
      /** The instance. */
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
  /** Cancels an instance and every instance it has called. Role: editor. */
  CancelBpmnInstance: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is canceled, and nothing that it called can do anything more. */
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
  /** Begins an activity inside an active ad-hoc sub-process. Role: executor. */
  TriggerBpmnAdHocNode: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** It has begun. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** Merges variables into the scope of an active ad-hoc sub-process and looks at its completion condition again. Role: executor. */
  SetBpmnAdHocVariables: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** They are set. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** The instances that this one has called, in the order of the calls. Role: viewer. */
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
      /** All of them. */
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
  /** What became of a request that was answered 202. Role: viewer. */
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
      /** The command. */
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
  /** The external jobs of one instance, newest first. Role: viewer. */
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
      /** One page of jobs. */
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
  /** What an instance has done: one entry per activation of a node, in the order they began. Role: viewer. */
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
      /** One page of entries. */
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
  /** The incidents of one instance, newest first. Role: viewer. */
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
      /** One page of incidents. */
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
  /** Runs the activity that stands at an incident again, with other variables if need be. Role: editor. */
  ResolveBpmnIncident: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** The activity has been run again. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** Lets a running instance go on with another version of its process. Role: editor. */
  MigrateBpmnInstance: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** The instance runs the target version. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** Tells whether an instance as it stands now could be migrated, and everything that stands in the way. Changes nothing. Role: editor. */
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
      /** The issues; none when it is valid. */
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
  /** Puts tokens before nodes and takes tokens away: all of the instructions, or none. Role: admin. */
  ModifyBpmnInstance: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
      /** The tokens stand as they were told to. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** The instance as it was after one of its facts, the last one unless said. Role: viewer. */
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
      /** The instance after fact number `at`; 0 is before the first. */
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
  /** The facts of an instance in the order in which they happened; each can be looked at by its number in the replay view. Role: viewer. */
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
      /** One page of facts. */
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
  /** Lets an instance go on that was suspended by itself. Role: admin. */
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
      /** It is not suspended by itself any more. */
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
  /** Pauses an instance and every instance below it. Role: admin. */
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
      /** It is suspended. */
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
  /** What pauses an instance, and what waits to happen when it is resumed. Role: viewer. */
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
      /** Nothing but an empty list when it is not paused. */
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
  /** What was done to an instance from outside, in the order in which it was done. Role: viewer. */
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
      /** One page of entries. */
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
  /** The user tasks of one instance, newest first. Role: executor. */
  ListBpmnInstanceUserTasks: {
    parameters: {
      query?: {
        status?: 'CREATED' | 'COMPLETED' | 'CANCELED' | 'FAILED';
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
      /** One page of tasks. */
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
  /** The variables of the process, as they are or were at its end. Role: viewer. */
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
      /** The variables. */
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
  /** Sets variables of the process; null takes one away. Those that are not named stay as they are. Role: editor. */
  UpdateBpmnInstanceVariables: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
        };
      };
    };
    responses: {
      /** They are set. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** Publishes a message to the one subscription that matches and has waited longest, or to a process that it starts. Role: executor. */
  PublishBpmnMessage: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
        Prefer?: string;
        /** Kept for 24 hours: the same key with the same request gives the first answer, with another one 409. */
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
      /** It is taken, or it is kept for whoever begins to wait. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublication'];
        };
      };
      /** It is kept and still to be given to who waits for it. */
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
  /** How far a migration of instances has come, and what has become of each of them. Role: editor. */
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
      /** The progress, with one page of instances. */
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
  /** Deployed processes with all their versions, by id. Role: viewer. */
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
      /** One page of processes. */
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
  /** The deployed versions of one process, newest first. Role: viewer. */
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
      /** One page of versions; empty when there is no such process. */
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
  /** Resources, newest first. Role: viewer. */
  ListBpmnResources: {
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
      /** One page of resources. */
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
  /** Keeps a BPMN file as a draft. What would keep it from being deployed comes back as warnings. Role: editor. */
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
      /** The draft. */
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
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** The revisions of one file: resources whose `definitions` element has this id, newest first. Role: viewer. */
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
      /** One page of resources; empty when there is no such file. */
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
  /** Files by their newest revision, newest first. Role: viewer. */
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
      /** One page of files. */
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
  /** One resource, with the processes it was deployed as. Role: viewer. */
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
      /** The resource. */
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
  /** Replaces a draft. What is deployed is never changed: create a new resource instead. Role: editor. */
  UpdateBpmnResource: {
    parameters: {
      query?: never;
      header?: never;
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
      /** The draft. */
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
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Deletes a resource and what it was deployed as. Refused while there are instances of it, ended ones too. Role: editor. */
  DeleteBpmnResource: {
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
      /** It is gone. */
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
  /** Makes each process of a resource the newest version of that process. Role: editor. */
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
    requestBody?: never;
    responses: {
      /** It is deployed; `GET` the resource for its definitions. */
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
  /** Starts an instance of a process of this very resource, whether or not a newer version is deployed. Role: editor. */
  StartBpmnTestInstance: {
    parameters: {
      query?: never;
      header?: {
        /** Kept for 24 hours: the same key with the same request gives the first answer, with another one 409. */
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
      /** It is started. */
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
  /** Publishes a signal to everyone who waits for it, and to each instance that begins to wait before its ttl has ended. Role: executor. */
  PublishBpmnSignal: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
        Prefer?: string;
        /** Kept for 24 hours: the same key with the same request gives the first answer, with another one 409. */
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
      /** It is on its way to everyone who waits. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnPublication'];
        };
      };
      /** It is kept and still to be given to some of those who wait. */
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
  /** User tasks, newest first. Role: executor. */
  ListBpmnUserTasks: {
    parameters: {
      query?: {
        workflowID?: string;
        status?: 'CREATED' | 'COMPLETED' | 'CANCELED' | 'FAILED';
        assignee?: string;
        candidateUser?: string;
        candidateGroup?: string;
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
      /** One page of tasks. */
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
  /** Open user tasks that name the caller: as assignee, as candidate user, or through a group of the token. Role: viewer. */
  ListBpmnUserTasksForCaller: {
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
      /** One page of tasks, newest first. */
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
  /** One user task; a viewer sees it when it names the viewer. Role: viewer. */
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
      /** The task. */
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
  /** Changes who an open task is assigned to and who its candidates are. Role: executor. */
  UpdateBpmnUserTaskAssignment: {
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
        'application/json': components['schemas']['UpdateUserTaskAssignmentRequest'];
      };
    };
    responses: {
      /** The task as it is now. */
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
      409: Refusal;
      413: Refusal;
      415: Refusal;
      429: Refusal;
      500: Refusal;
      503: Refusal;
    };
  };
  /** Completes a user task. Executors may complete any, a viewer those that name the viewer. Role: viewer. */
  CompleteBpmnUserTask: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
        };
      };
    };
    responses: {
      /** The instance has taken the result. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** Fails a user task with a BPMN error: an error event catches it, or it becomes an incident. Role: viewer. */
  ThrowBpmnUserTaskError: {
    parameters: {
      query?: never;
      header?: {
        /** `wait=N`: how many seconds to wait for the effect, 5 unless said, at most 60. */
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
        };
      };
    };
    responses: {
      /** The instance has taken the error. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['BpmnCommand'];
        };
      };
      /** It is kept and will be carried out; ask for the outcome under .../commands/{commandID}. */
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
  /** What deploying a BPMN file would say, all problems at once. Nothing is stored. Role: editor. */
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
      /** The problems; none of severity error means that it can be deployed. */
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
  /** The decisions of the newest version of each DMN file, by name. Role: viewer. */
  ListDecisions: {
    parameters: {
      query?: {
        page?: number;
        pageSize?: number;
        q?: string;
      };
      header?: never;
      path: {
        projectID: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** One page of decisions. */
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
  /** All versions of all DMN files, newest first. Role: viewer. */
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
      /** One page of versions. */
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
  /** Keeps a DMN file as the next version of its definitions. What is wrong with it comes back as warnings. Role: editor. */
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
      /** The version. */
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
  /** A version of a DMN file by the id that the file gives itself; the newest unless asked. Role: viewer. */
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
      /** The version with its file. */
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
  /** Evaluates decisions of a file by the id that the file gives itself, in its newest version unless asked, and records it. Role: executor. */
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
      /** Results by decision name. */
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
  /** The versions of one DMN file, newest first. Role: viewer. */
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
      /** One page of versions. */
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
  /** The newest version of each DMN file, newest first. Role: viewer. */
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
      /** One page of versions. */
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
  /** A version of a DMN file. Role: viewer. */
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
      /** The version with its file. */
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
  /** Changes a version: its name at any time, its file and number until it is used. Role: editor. */
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
      /** The version as it is now. */
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
  /** Deletes a version that was never used. Role: editor. */
  DeleteDefinition: {
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
      /** It is gone. */
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
  /** Evaluates decisions of a version and records it. `version` means another version of the same file. Role: executor. */
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
      /** Results by decision name. */
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
  /** Recorded evaluations of one version, newest first. Role: viewer. */
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
      /** One page of evaluations. */
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
  /** Recorded evaluations of a project, newest first. Role: viewer. */
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
      /** One page of evaluations. */
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
  /** A recorded evaluation. Role: viewer. */
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
      /** What went in and what came out. */
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
  /** Who has a role in a project, as the identity provider knows it now. Role: admin. */
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
      /** One page of members, by subject. */
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
  /** Gives somebody a role in a project, in place of the one they have. Role: admin. */
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
      /** The member. */
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
  /** Ends a membership at the identity provider. Role: admin. */
  DeleteProjectMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        projectID: string;
        subject: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** They are no member any more. */
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
  /** The settings of a project. Role: admin. */
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
      /** All of them. */
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
  /** Changes settings of a project; those that are not named stay. Role: admin. */
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
      /** All settings as they are now. */
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
  /** Whether the host can serve: Postgres, Temporal and the keys of the issuers are there. Role: public. */
  GetReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** All is there. */
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
      /** Something is missing; it is named. */
      503: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['NotReady'];
        };
      };
    };
  };
  /** Which build of the host answers. Role: public. */
  GetVersion: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The build. */
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
    ActiveScope: {
      scopeID: string;
      parentScopeID?: string;
      nodeID: string;
      activeNodes: { [name: string]: number };
      processVersion: number;
      variables: { [name: string]: unknown };
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
    BpmnActivityState: {
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
      childWorkflowID?: string;
      loopCounter?: number;
    };
    BpmnActivityStatePaginatedResponse: {
      data: components['schemas']['BpmnActivityState'][];
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
      startTimers: components['schemas']['BpmnStartTimer'][];
    };
    BpmnDefinitionNodes: {
      nodes: components['schemas']['BpmnNodeCounts'][];
      /** Running instances of which it is not known where they stand: they have not begun, or nothing has happened in them since an older version of the host. */
      unplacedInstances: number;
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
      definitionSuspended: boolean;
      parentSuspended: boolean;
      suspendedAt?: string;
      suspendedBy?: string;
      suspendReason?: string;
      businessId?: string;
    };
    BpmnInstanceChildrenResponse: {
      children: components['schemas']['BpmnInstance'][];
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
      definitionSuspended: boolean;
      parentSuspended: boolean;
      instanceSuspension?: components['schemas']['SuspensionEntry'];
      definitionSuspension?: components['schemas']['SuspensionEntry'];
      parentSuspension?: components['schemas']['SuspensionEntry'];
      pendingJoinArrivals: { [name: string]: { [name: string]: number } };
      businessId?: string;
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
    BpmnJobEnd: {
      commandID: string;
      status: 'PENDING' | 'APPLIED' | 'REJECTED';
      code?: string;
      message?: string;
      issues?: string[];
      appliedAt?: string;
      jobs?: components['schemas']['ExternalJob'][];
    };
    BpmnNodeCounts: {
      nodeID: string;
      activeInstances: number;
      openIncidents: number;
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
    };
    BpmnProcessVersionPaginatedResponse: {
      data: components['schemas']['BpmnProcessVersion'][];
      pagination: components['schemas']['PaginationMetadata'];
    };
    BpmnPublication: {
      publicationID: string;
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
    BpmnStartTimer: {
      nodeID: string;
      type: 'date' | 'cycle';
      /** An instant, a repetition (ISO 8601) or a cron expression. */
      timer: string;
      /** False when a newer version has taken its place. */
      active: boolean;
      /** Ticks that started nothing because the definition was suspended. */
      skippedTicks: number;
      lastSkippedAt?: string;
    };
    BpmnTimelineEntry: {
      kind: 'SUSPEND' | 'RESUME' | 'RESOLVE_INCIDENT' | 'MODIFY' | 'MIGRATE' | 'CANCEL_INSTANCE' | 'SET_VARIABLES' | 'TRIGGER_AD_HOC' | 'SET_AD_HOC_VARIABLES' | 'ESCALATION';
      time: string;
      actor?: string;
      reason?: string;
      outcome: 'PENDING' | 'APPLIED' | 'REJECTED';
      message?: string;
      commandID?: string;
      scope?: 'instance' | 'definition' | 'parent';
      incidentID?: string;
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
    ChangeProjectMemberRequest: {
      role: 'viewer' | 'executor' | 'editor' | 'admin';
    };
    ChangeProjectSettingsRequest: {
      name?: string;
      description?: string | null;
      messageTtl?: string | null;
      signalTtl?: string | null;
      historyRetention?: string | null;
    };
    CorrelationKeys: string | number | boolean | { [name: string]: unknown };
    CreateBpmnResourceRequest: {
      name: string;
      xml: string;
    };
    CreateDefinitionRequest: {
      name: string;
      xml: string;
      version?: number;
    };
    CreateProjectRequest: {
      name: string;
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
    ElementMapping: {
      sourceElementID: string;
      targetElementID: string;
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
    };
    EvaluateDesignRequest: {
      xml: string;
      additionalXMLs?: string[];
      context?: { [name: string]: unknown };
      decisionServices?: string[];
      decisions?: string[];
      errorMode?: 'strict' | 'lenient';
    };
    EvaluateStoredRequest: {
      version?: number;
      context: { [name: string]: unknown };
      decisionServices?: string[];
      decisions?: string[];
      businessId?: string;
      errorMode?: 'strict' | 'lenient';
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
    Execution: {
      id: string;
      definitionID: string;
      executedAt: string;
      executedBy?: string;
      inputs: { [name: string]: unknown };
      outputs: unknown;
      definitionsID?: string;
      businessId?: string;
    };
    ExternalJob: {
      id: string;
      executionKey: string;
      workflowID: string;
      nodeID: string;
      taskType: string;
      variables?: { [name: string]: unknown };
      parentWorkflowID?: string;
      status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
      retries: number;
      headers?: { [name: string]: string };
      createdAt: string;
      completedAt?: string;
      lockedBy?: string;
      lockExpiresAt?: string;
      leaseToken?: string;
      errorCode?: string;
      errorMessage?: string;
      cancelReason?: string;
      businessId?: string;
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
    Health: {
      status: 'live';
    };
    HitRule: {
      ruleID?: string;
      outputs: components['schemas']['FeelValue'];
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
    };
    PollBpmnJobRequest: {
      taskType: string;
      clientID: string;
      lockDuration?: string;
      timeout?: string;
      maxJobs?: number;
      fetchVariables?: string[];
    };
    PollBpmnNextJobsRequest: {
      taskType: string;
      lockDuration?: string;
      timeout?: string;
      maxJobs?: number;
      fetchVariables?: string[];
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
    };
    PublishBpmnMessageRequest: {
      messageName: string;
      correlationKeys?: components['schemas']['CorrelationKeys'];
      variables?: { [name: string]: unknown };
      ttl?: string;
    };
    PublishBpmnSignalRequest: {
      signalName: string;
      variables?: { [name: string]: unknown };
      ttl?: string;
    };
    Ready: {
      status: 'ready';
    };
    ResolveBpmnIncidentRequest: {
      variables?: { [name: string]: unknown };
    };
    ResumeBpmnDefinitionRequest: {
      reason?: string;
    };
    ResumeBpmnInstanceRequest: {
      reason?: string;
    };
    SetBpmnAdHocVariablesRequest: {
      variables?: { [name: string]: unknown };
    };
    StartBpmnInstanceRequest: {
      processDefinitionID: string;
      variables?: { [name: string]: unknown };
      businessId?: string;
    };
    StartBpmnTestInstanceRequest: {
      processID?: string;
      variables?: { [name: string]: unknown };
      businessId?: string;
    };
    StartedBpmnInstance: {
      workflowID: string;
    };
    StartedMigration: {
      migrationID: string;
    };
    SuspendBpmnDefinitionRequest: {
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
    };
    UpdateDefinitionRequest: {
      xml?: string;
      version?: number;
      name?: string;
    };
    UpdateUserTaskAssignmentRequest: {
      assignee?: string | null;
      candidateUsers?: string[];
      candidateGroups?: string[];
    };
    UserTask: {
      id: string;
      executionKey: string;
      workflowID: string;
      parentWorkflowID?: string;
      nodeID: string;
      assignee?: string;
      candidateUsers?: string[];
      candidateGroups?: string[];
      formKey?: string;
      formID?: string;
      variables?: { [name: string]: unknown };
      headers?: { [name: string]: string };
      status: 'CREATED' | 'COMPLETED' | 'CANCELED' | 'FAILED';
      cancelReason?: string;
      errorCode?: string;
      completionVariables?: { [name: string]: unknown };
      createdAt: string;
      completedAt?: string;
      businessId?: string;
    };
    ValidateBpmnResourceRequest: {
      xml: string;
    };
    Version: {
      version: string;
      buildTime?: string;
      commit?: string;
    };
    /** RFC 9457 problem details. */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      /** urn:perdure:request: and the request id. */
      instance: string;
      code: 'BAD_REQUEST' | 'INVALID_MODEL' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'CONFLICT' | 'DEFINITION_SUSPENDED' | 'SUSPENDED' | 'INSTANCE_ENDED' | 'LEASE_LOST' | 'IDEMPOTENCY_KEY_REUSED' | 'MEMBERSHIP_MANAGED_BY_PROVIDER' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'TOO_MANY_REQUESTS' | 'INTERNAL_ERROR' | 'UNAVAILABLE';
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

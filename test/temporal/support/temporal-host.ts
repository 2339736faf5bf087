/** Instances on a real Temporal server over a real Postgres, without the API. */
import type { WorkflowHandle } from '@temporalio/client';
import type { WorkerOptions } from '@temporalio/worker';
import type { PayloadCodec } from '@temporalio/common';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { createActivities, type Activities } from '../../../activities/index.js';
import type { LingerOutcome } from '../../../hot-instances/linger.js';
import { Lingers } from '../../../hot-instances/lingers.js';
import { perform } from '@perdure/dmn/work.js';
import { compile } from '@perdure/bpmn/compile/compile.js';
import type {
  Command,
  CommandBody,
  CommandOutcome,
  Delivery,
  JobResult,
  NodeMapping,
} from '@perdure/engine/contract/commands.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import type { DefinitionReference, State, Wait, WaitKind } from '@perdure/engine/state/state.js';
import { createInstanceGateway } from '../../../host/instance-gateway.js';
import { readOutcome } from '../../../store/instances/commands.js';
import { submitCommand, type Submitted } from '../../../store/instances/submit-command.js';
import { createDefinition } from '../../../store/decisions/change-definitions.js';
import { lingerChannel } from '../../../store/hot-instances/linger-mark.js';
import { findInstance, type Instance } from '../../../store/instances/instances.js';
import { ensureProject } from '../../../store/projects/projects.js';
import { stateAt } from '../../../store/steps/replay.js';
import { createResource, deployResource } from '../../../store/definitions/resources.js';
import { startInstance } from '../../../store/instances/start.js';
import { startOutboxRelay } from '../../../worker/outbox-relay.js';
import { startInstanceWorker, type InstanceWorker } from '../../../worker/temporal-worker.js';
import { noTracer } from '../../../telemetry/tracer.js';
import { SEARCH_ATTRIBUTES } from '../../../workflows/messages.js';
import { compiledScript } from '../../../dev/repository.js';
import { eventually } from '../../support/eventually.js';
import { forgetWorker } from '../../support/forget-worker.js';
import { identity, openHostServices, silent, type HostServices } from '../../support/host-services.js';
import { uniqueName } from '../../support/infrastructure.js';
import { workflowThread } from '../../support/workflow-thread.js';
import { Replayer } from './replayer.js';

export interface TemporalHostOptions {
  /** Another Temporal server than the one all tests share. */
  temporal?: string;
  /** Wraps the activities of the worker. */
  wrap?: (activities: Activities) => Activities;
  tuning?: Partial<WorkerOptions>;
  codecs?: PayloadCodec[];
  maxRotations?: number;
  /** Names of the search attributes that are set; all of those that the server of the tests knows unless given. */
  searchAttributes?: ReadonlySet<string>;
  /** How the worker reaches Postgres, given the URL of the test's database. */
  databaseUrlOfWorker?: (url: string) => string;
  /** Seconds after which the server gives up on a workflow task (default: the server's ten). */
  workflowTaskSeconds?: number;
  /** Step commits of this process's worker wait for the next command, whether job workers poll or not. */
  hot?: boolean;
  /** Without a worker of this process, and without an outbox relay, unless true. */
  worker?: boolean;
  outboxRelay?: boolean;
}

interface StartOptions {
  /** Whether to start the workflow at once, before the outbox relay does. */
  send?: boolean;
  businessID?: string;
  projectID?: string;
  /** Called with the id before the instance is written. */
  prepare?: (workflowID: string) => Promise<unknown> | void;
}

export type TemporalHost = Awaited<ReturnType<typeof openTemporalHost>>;

export const project = 'p1';
/** The one of the last `npm run build`, which `npm test` does first. */
const bundlePath = compiledScript('workflow-bundle.js');
const knownSearchAttributes = new Set(
  Object.values(SEARCH_ATTRIBUTES)
    .map(({ name }) => name)
    .filter((name) => name !== SEARCH_ATTRIBUTES.parent.name),
);

export async function openTemporalHost(options: TemporalHostOptions = {}) {
  const services = await openHostServices({
    searchAttributes: knownSearchAttributes,
    // An eager task that finds a cache of no size full waits until it has timed out.
    eagerStart: options.worker !== false && options.tuning?.maxCachedWorkflows !== 0,
    ...options,
  });
  const { store, client, connection, taskQueue, instances, dataConverter, databaseUrl } = services;
  const workers = new Workers(services, options);
  const replayer = new Replayer({ workflowBundle: { codePath: bundlePath }, dataConverter });
  if (options.worker !== false) await workers.start();
  const outboxRelay =
    options.outboxRelay === false
      ? undefined
      : startOutboxRelay({ store, notifications: services.notifications, instances, logger: silent });

  async function definition(processID: string, projectID: string): Promise<string> {
    const { rows } = await store.query<{ id: string }>(
      'SELECT id FROM definitions WHERE project_id = $1 AND process_id = $2 ORDER BY version DESC LIMIT 1',
      [projectID, processID],
    );
    if (!rows[0]) throw new Error(`Process ${processID} is not deployed`);
    return rows[0].id;
  }

  const host = {
    store,
    client,
    connection,
    taskQueue,
    instances,
    bundlePath,
    dataConverter,
    databaseUrl,

    async deploy(xml: string, projectID = project): Promise<void> {
      const { problems, processes } = await compile(xml);
      if (processes.length === 0) throw new Error(JSON.stringify(problems));
      await ensureProject(store, projectID);
      const content = { name: 'test.bpmn', xml, definitionsID: 'definitions' };
      const { resourceID } = await createResource(store, projectID, content, 'editor');
      await deployResource(store, { projectID, resourceID, xml, deployedBy: 'editor', processes });
    },

    /** Keeps a DMN file. */
    async deployDecisions(xml: string): Promise<void> {
      const { content, problems } = perform({ kind: 'compile', xml, imported: [] });
      if (!content) throw new Error(JSON.stringify(problems));
      await ensureProject(store, project);
      await createDefinition(store, project, { name: 'decisions', content, createdBy: 'editor' });
    },

    /** Writes an instance and starts its workflow; the id comes back. */
    async start(
      processID: string,
      variables: Variables = {},
      { send = true, businessID, projectID = project, prepare }: StartOptions = {},
    ): Promise<string> {
      const workflowID = uniqueName(processID);
      await prepare?.(workflowID);
      const started = await startInstance(store, {
        projectID,
        definitionID: await definition(processID, projectID),
        workflowID,
        variables,
        businessID,
      });
      if (started.kind !== 'started') throw new Error(started.message);
      if (send) await instances.start(started.instance);
      return workflowID;
    },

    /** Outcomes of commits that waited. */
    outcomes: workers.outcomes,

    /** Writes a command without telling the instance. */
    async write(workflowID: string, body: CommandBody): Promise<Command> {
      return (await host.submit(workflowID, body)).command;
    },

    async submit(workflowID: string, body: CommandBody): Promise<Submitted> {
      const written = await submitCommand(store, {
        workflowID,
        projectID: project,
        actor: 'tester',
        awaited: true,
        body,
      });
      if (written.kind !== 'submitted') throw new Error(written.message);
      return written;
    },

    /** Brings a written command to its instance as the API does. */
    deliver(workflowID: string, command: Command, delivery: Delivery): Promise<void> {
      return createInstanceGateway({ instances, store, lingers: workers.lingers, logger: silent }).deliver(
        workflowID,
        command,
        delivery,
      );
    },

    /** Writes a command, brings it to the instance and waits for its outcome. */
    async command(workflowID: string, body: CommandBody): Promise<CommandOutcome> {
      const { command, delivery } = await host.submit(workflowID, body);
      await host.deliver(workflowID, command, delivery);
      return host.outcome(workflowID, command.number);
    },

    outcome(workflowID: string, number: number): Promise<CommandOutcome> {
      return eventually(`the outcome of command ${number}`, () => readOutcome(store, workflowID, number));
    },

    /** Migrates to the newest version of the process. */
    async migrate(workflowID: string, processID: string, mappings: NodeMapping[] = []): Promise<CommandOutcome> {
      const { rows } = await store.query<DefinitionReference>(
        'SELECT id AS "definitionID", version, graph_sha256 AS "graphSha256" FROM definitions WHERE project_id = $1 AND process_id = $2 ORDER BY version DESC LIMIT 1',
        [project, processID],
      );
      return host.command(workflowID, { kind: 'MIGRATE', target: rows[0]!, mappings });
    },

    /** Completes the job at this node, once there is one. */
    async completeJob(
      workflowID: string,
      nodeID: string,
      variables?: Variables,
      result?: JobResult,
    ): Promise<CommandOutcome> {
      const { id } = await host.wait(workflowID, 'job', nodeID);
      return host.command(workflowID, {
        kind: 'COMPLETE_JOB',
        execution: id,
        ...(variables && { variables }),
        ...(result && { result }),
      });
    },

    /** The wait of the instance at this node, once it exists. */
    wait(workflowID: string, kind: WaitKind, nodeID: string): Promise<Wait> {
      return host.onceState(workflowID, `a wait of kind ${kind} at ${nodeID}`, ({ waits }) =>
        Object.values(waits).find((wait) => wait.kind === kind && wait.node === nodeID),
      );
    },

    async state(workflowID: string): Promise<State> {
      return (await stateAt(store, workflowID)).state;
    },

    /** What `find` finds in the state, once it finds something. The state is computed only when it has changed. */
    onceState<T>(workflowID: string, what: string, find: (state: State) => T): Promise<NonNullable<T>> {
      let computed = -1;
      return eventually<T | undefined>(what, async () => {
        const { rows } = await store.query<{ facts: number }>(
          'SELECT fact_count AS facts FROM instances WHERE workflow_id = $1',
          [workflowID],
        );
        const facts = rows[0]?.facts ?? 0;
        if (facts === computed) return undefined;
        const replayed = await stateAt(store, workflowID);
        computed = replayed.last;
        return find(replayed.state);
      }) as Promise<NonNullable<T>>;
    },

    async row(workflowID: string): Promise<Instance> {
      return (await findInstance(store, project, workflowID))!;
    },

    handle(workflowID: string): WorkflowHandle {
      return client.workflow.getHandle(workflowID);
    },

    /** The instance's row once it has ended. */
    async ended(workflowID: string): Promise<Instance> {
      return eventually(`the end of ${workflowID}`, async () => {
        const row = await host.row(workflowID);
        return row.status === 'RUNNING' ? undefined : row;
      });
    },

    /** Names of the events of the current run, without their common beginning. */
    async events(workflowID: string): Promise<string[]> {
      const { events } = await host.handle(workflowID).fetchHistory();
      return (events ?? []).map(({ eventType }) => eventNames[Number(eventType)] ?? String(eventType));
    },

    /** How often the instance has continued in a new run. */
    async rotations(workflowID: string): Promise<number> {
      const { rows } = await store.query<{ rotations: number }>(
        `SELECT count(*)::integer AS rotations FROM steps, json_array_elements(facts) fact
         WHERE workflow_id = $1 AND fact ->> 'kind' = 'INSTANCE_ROTATED'`,
        [workflowID],
      );
      return rows[0]!.rotations;
    },

    /** After the death of the worker that has the instances in memory. */
    forgetWorker: (...workflowIDs: string[]) => forgetWorker(client, workflowIDs),

    /** Replays the history of an instance (default: of its current run); throws where this build takes another way. */
    async replay(workflowID: string, history?: History): Promise<void> {
      await replayer.replay(history ?? (await host.handle(workflowID).fetchHistory()), workflowID);
    },

    stopWorker: () => workers.stop(),
    startWorker: () => workers.start(),

    async close(): Promise<void> {
      await replayer.close();
      await outboxRelay?.stop();
      await workers.stop();
      await services.close();
    },
  };
  return host;
}

/** The worker of a host, which a test can stop and start again. */
class Workers {
  /** Outcomes of commits that waited. */
  readonly outcomes: LingerOutcome[] = [];
  lingers: Lingers | undefined;
  readonly #services: HostServices;
  readonly #options: TemporalHostOptions;
  #worker: InstanceWorker | undefined;

  constructor(services: HostServices, options: TemporalHostOptions) {
    this.#services = services;
    this.#options = options;
  }

  async start(): Promise<void> {
    const { workerStore, graphs, notifications, connection, taskQueue, dataConverter } = this.#services;
    const id = uniqueName('worker').replaceAll('-', '_');
    await notifications.hear(lingerChannel(id), (workflowID) => this.lingers?.wake(workflowID));
    this.lingers = this.#options.hot ? this.#newLingers(id) : undefined;
    const real = createActivities({ store: workerStore, graphs, tracer: noTracer, lingers: this.lingers });
    const activities = { ...(this.#options.wrap?.(real) ?? real) };
    this.#worker = await startInstanceWorker({
      lingers: this.lingers,
      connection,
      namespace: 'default',
      taskQueue,
      store: workerStore,
      graphs,
      dataConverter,
      bundlePath,
      threadFile: workflowThread,
      tuning: { activities, identity, shutdownGraceTime: '1s', ...this.#options.tuning },
    });
  }

  async stop(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = undefined;
  }

  #newLingers(worker: string): Lingers {
    return new Lingers({
      worker,
      maxAtOnce: 60,
      maxMs: 1_000,
      slowCommitMs: Infinity,
      isPolled: () => true,
      onEnd: (outcome) => this.outcomes.push(outcome),
    });
  }
}

/** Of `temporal.api.enums.v1.EventType`, those that instances cause. */
const eventNames: { [type: number]: string } = {
  1: 'WorkflowStarted',
  2: 'WorkflowCompleted',
  5: 'TaskScheduled',
  6: 'TaskStarted',
  7: 'TaskCompleted',
  8: 'TaskTimedOut',
  9: 'TaskFailed',
  10: 'ActivityScheduled',
  11: 'ActivityStarted',
  12: 'ActivityCompleted',
  17: 'TimerStarted',
  18: 'TimerFired',
  19: 'TimerCanceled',
  20: 'CancelRequested',
  25: 'Marker',
  26: 'Signaled',
  27: 'WorkflowTerminated',
  28: 'ContinuedAsNew',
  40: 'SearchAttributesUpserted',
};

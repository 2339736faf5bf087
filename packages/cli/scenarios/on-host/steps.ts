/** One function per kind of step, as `packages/testkit/scenario/steps.ts` has them in memory. */
import { unwrap } from '@perdure/client';
import { parseDuration } from '@perdure/lib/duration.js';
import { expectAll, expectAmong, StepFailed, type StepContents, type StepKind } from '@perdure/testkit';
import { untilApplied } from '../../outcome.js';
import type { Wait } from './instances.js';
import { accepted, ifOver, type Found, type HostPlay } from './play.js';
import type { OpenTimer } from './virtual-clock.js';

/** Timers that a step may fire. An endless cycle has no last one. */
const MAX_TICKS = 1_000;

type Place = { node?: string; type?: string; in?: string; nth?: number };

export const steps: {
  readonly [Kind in StepKind]: (play: HostPlay, content: StepContents[Kind]) => Promise<void>;
} = {
  async completeJob(play, { variables, result, ...place }) {
    const { workflowID, wait } = await jobAt(play, place);
    const { client, projectID } = play.host;
    await accepted(
      unwrap(
        client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/complete', {
          params: { path: { projectID, executionKey: wait.executionKey! }, header: untilApplied },
          body: { workflowID, ...(variables && { variables }), ...(result && { result }) },
        }),
      ),
    );
  },

  async failJob(play, { message = 'failed by the scenario', retries, ...place }) {
    const { wait } = await jobAt(play, place);
    const { client, projectID } = play.host;
    const path = { projectID, executionKey: wait.executionKey! };
    if (retries !== undefined && retries > 0)
      await accepted(
        unwrap(
          client.PATCH('/projects/{projectID}/bpmn/external-jobs/{executionKey}', {
            params: { path },
            body: { retries: retries + 1 },
          }),
        ),
      );
    await throwJobError(play, wait, {
      errorCode: 'TECHNICAL_ERROR',
      errorMessage: message,
      retryable: retries !== 0,
    });
  },

  async throwError(play, { code, variables, ...place }) {
    const found = await openAt(
      play,
      'a job or user task',
      place,
      (wait) => isJobAt(wait, place) || isTaskAt(wait, place),
    );
    const given = { errorCode: code, ...(variables && { variables }) };
    if (found.wait.kind === 'job') return throwJobError(play, found.wait, { ...given, retryable: false });
    const { client, projectID } = play.host;
    await accepted(
      unwrap(
        client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/error', {
          params: { path: { projectID, executionKey: found.wait.executionKey! }, header: untilApplied },
          body: given,
        }),
      ),
    );
  },

  async completeTask(play, { variables, ...place }) {
    const { wait } = await openAt(play, 'a user task', place, (open) => isTaskAt(open, place));
    const { client, projectID } = play.host;
    await accepted(
      unwrap(
        client.POST('/projects/{projectID}/bpmn/user-tasks/{executionKey}/complete', {
          params: { path: { projectID, executionKey: wait.executionKey! }, header: untilApplied },
          body: variables ? { variables } : {},
        }),
      ),
    );
  },

  async publish(play, { message, correlation, variables }) {
    const { client, projectID } = play.host;
    await play.settled();
    const published = unwrap<{ publicationID: string }>(
      client.POST('/projects/{projectID}/bpmn/messages', {
        params: { path: { projectID }, header: untilApplied },
        body: {
          messageName: message,
          isTest: true,
          ...(correlation !== undefined && { correlationKeys: correlation as string }),
          ...(variables && { variables }),
        },
      }),
    );
    await play.published(await accepted(published));
  },

  async signal(play, { name, variables }) {
    const { client, projectID } = play.host;
    await play.settled();
    const published = unwrap<{ publicationID: string }>(
      client.POST('/projects/{projectID}/bpmn/signals', {
        params: { path: { projectID }, header: untilApplied },
        body: { signalName: name, isTest: true, ...(variables && { variables }) },
      }),
    );
    await play.published(await accepted(published));
  },

  async advance(play, duration) {
    const { clock } = play;
    const timers = async () => clock.timersOf(await play.settled());
    const [first] = await timers();
    if (duration === 'next timer' && !first) throw new StepFailed('no timer is open');
    const until = duration === 'next timer' ? Math.max(clock.now, first!.due) : clock.now + lengthOf(duration);
    for (let ticks = 0; ; ticks += 1) {
      const [next] = await timers();
      if (!next || next.due > until) break;
      if (ticks === MAX_TICKS) throw new StepFailed(`more than ${MAX_TICKS} timers fire. Look for repeating timers`);
      await fire(play, next);
      clock.noteFired(next);
    }
    clock.now = until;
  },

  call: async () => {
    throw new StepFailed('a host calls the deployed process');
  },

  async triggerAdHoc(play, { node, activity, ...place }) {
    const { client, projectID } = play.host;
    const workflowID = await play.findActive(place, node);
    if (workflowID === undefined) throw new StepFailed(`there is no active ad-hoc sub-process at ${node}`);
    await accepted(
      unwrap(
        client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/adhoc/{adHocNodeID}/trigger', {
          params: { path: { projectID, workflowID, adHocNodeID: node }, header: untilApplied },
          body: { nodeID: activity },
        }),
      ),
    );
  },

  async setVariables(play, variables) {
    const { client, projectID } = play.host;
    const { workflowID } = play;
    await play.settled();
    await accepted(
      unwrap(
        client.PUT('/projects/{projectID}/bpmn/instances/{workflowID}/variables', {
          params: { path: { projectID, workflowID }, header: untilApplied },
          body: { variables },
        }),
      ),
    );
  },

  async resolve(play, { variables, ...place }) {
    const is = ({ kind, nodeID }: Wait) => kind === 'incident' && nodeID === place.node;
    const { workflowID, wait } = await openAt(play, 'an incident', place, is);
    const { client, projectID } = play.host;
    await accepted(
      unwrap(
        client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/incidents/{incidentID}/resolve', {
          params: { path: { projectID, workflowID, incidentID: wait.incidentID! }, header: untilApplied },
          body: variables ? { variables } : {},
        }),
      ),
    );
  },

  expect: (play, expectation) => play.expect((observation) => expectAll(observation, expectation)),
  expectAmong: (play, expectation) => play.expect((observation) => expectAmong(observation, expectation)),
};

async function throwJobError(
  { host: { client, projectID } }: HostPlay,
  { executionKey }: Wait,
  body: {
    errorCode: string;
    errorMessage?: string;
    retryable: boolean;
    variables?: { [name: string]: unknown };
  },
): Promise<void> {
  await accepted(
    unwrap(
      client.POST('/projects/{projectID}/bpmn/external-jobs/{executionKey}/error', {
        params: { path: { projectID, executionKey: executionKey! }, header: untilApplied },
        body,
      }),
    ),
  );
}

/** A timer whose time has come by the clock of the host may have fired on its own. */
async function fire({ host: { client, projectID } }: HostPlay, timer: OpenTimer): Promise<void> {
  const { workflowID, timerID } = timer;
  const fired = client.POST('/projects/{projectID}/bpmn/instances/{workflowID}/timers/{timerID}/fire', {
    params: { path: { projectID, workflowID, timerID }, header: untilApplied },
    body: {},
  });
  await accepted(unwrap(fired).catch(ifOver));
}

function jobAt(play: HostPlay, place: Place): Promise<Found> {
  return openAt(play, 'a job', place, (wait) => isJobAt(wait, place));
}

function isJobAt({ kind, nodeID, taskType }: Wait, { node, type }: Place): boolean {
  return kind === 'job' && (node === undefined ? taskType === type : nodeID === node);
}

function isTaskAt({ kind, nodeID }: Wait, { node }: Place): boolean {
  return kind === 'userTask' && nodeID === node;
}

async function openAt(play: HostPlay, what: string, place: Place, is: (wait: Wait) => boolean): Promise<Found> {
  const found = await play.find(place, is);
  if (found) return found;
  const open = (await play.open(place)).map(({ kind, nodeID, taskType }) => `${taskType ?? kind} at ${nodeID}`);
  const where = `${place.nth === undefined ? '' : `, number ${place.nth}`}${place.in === undefined ? '' : `, called by ${place.in}`}`;
  const expected = `${what} ${place.node === undefined ? `of type ${place.type}` : `at ${place.node}`}${where}`;
  throw new StepFailed(`there is no ${expected.replace(/^an? /, '')}`, [
    { what: 'open', expected, found: open.join(', ') || 'none' },
  ]);
}

function lengthOf(duration: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds !== undefined) return milliseconds;
  throw new StepFailed(`${JSON.stringify(duration)} is not a duration. Write PT1H30M, 1h30m, or "next timer"`);
}

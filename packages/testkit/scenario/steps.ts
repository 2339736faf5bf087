/** One function per kind of step. */
import { formatDuration, parseDuration } from '@perdure/lib/duration.js';
import type { WaitKind } from '@perdure/engine/state/state.js';
import type { MemoryHost, MemoryInstance } from '../memory-host.js';
import { expectAllowedSize } from '../payload-limit.js';
import { expectAll, expectAmong } from './expectations.js';
import { StepFailed } from './failure.js';
import type { Found, Play } from './play.js';
import type { Place, Step, StepContents, StepKind } from './scenario.js';

/** The last day that dates of FEEL and of the REST API have. */
const END_OF_TIME = Date.UTC(9999, 11, 31);

/** What each kind of step does. */ // prose-ok: what-clause
const steps: { readonly [Kind in StepKind]: (play: Play, content: StepContents[Kind]) => void } = {
  completeJob(play, { variables, result, ...place }) {
    const { instance, wait } = jobAt(play, place);
    const given = { ...(variables && { variables }), ...(result && { result }) };
    play.send(instance, { kind: 'COMPLETE_JOB', execution: wait.id, ...given });
  },

  failJob(play, { message = 'failed by the scenario', retries, ...place }) {
    const job = jobAt(play, place);
    if (play.useAttempt(job, retries)) return;
    const failed = { errorCode: 'TECHNICAL_ERROR', message };
    play.send(job.instance, { kind: 'THROW_JOB_ERROR', execution: job.wait.id, ...failed });
  },

  throwError(play, { code, variables, ...place }) {
    const given = { errorCode: code, ...(variables && { variables }) };
    const job = nthOf(
      play.open('job', place).filter((open) => isAt(play, open, place)),
      place,
    );
    if (job) return play.send(job.instance, { kind: 'THROW_JOB_ERROR', execution: job.wait.id, ...given });
    const task = nthOf(
      play.open('userTask', place).filter(({ wait }) => wait.node === place.node),
      place,
    );
    if (task) return play.send(task.instance, { kind: 'THROW_USER_TASK_ERROR', execution: task.wait.id, ...given });
    throw notFound(play, `a job or user task ${described(place)}`, place, ['job', 'userTask']);
  },

  completeTask(play, { variables, ...place }) {
    const { instance, wait } = openAt(play, 'userTask', 'a user task', place);
    play.send(instance, { kind: 'COMPLETE_USER_TASK', execution: wait.id, ...(variables && { variables }) });
  },

  publish({ host }, { message, correlation, variables }) {
    expectAllowedSize(variables);
    host.publishMessage(message, correlation, variables);
  },

  signal({ host }, { name, variables }) {
    expectAllowedSize(variables);
    host.throwSignal(name, variables);
  },

  advance({ host }, duration) {
    const milliseconds = timeToPass(host, duration);
    if (host.now + milliseconds > END_OF_TIME) throw new StepFailed('the time would be after the year 9999');
    host.advance(milliseconds);
  },

  call(play, { variables = {}, error, ...place }) {
    const unanswered = ({ wait }: Found<'child'>) => !play.host.instances.has(wait.workflowID);
    const open = play.open('child', place).filter(unanswered);
    const call = nthOf(
      open.filter(({ wait }) => wait.node === place.node),
      place,
    );
    if (!call) {
      const found = open.map(({ wait }) => wait.node).join(', ') || 'none';
      throw missing(`a call ${described(place)} of a process that is in none of the files`, found);
    }
    play.send(call.instance, {
      kind: 'END_CHILD',
      execution: call.wait.id,
      outcome:
        error === undefined
          ? { status: 'COMPLETED', variables }
          : { status: 'ERROR', errorCode: error, message: 'answered by the scenario', variables },
    });
  },

  triggerAdHoc(play, { node, activity, ...place }) {
    const instance = instanceWithAdHoc(play, { node, ...place });
    if (!instance) {
      const found = [...new Set(play.inside(place).flatMap(adHocsIn))].join(', ') || 'none';
      throw missing(`an active ad-hoc sub-process ${described({ node, ...place })}`, found);
    }
    play.send(instance, { kind: 'TRIGGER_AD_HOC', node, nodeID: activity });
  },

  setVariables(play, variables) {
    const { root } = play;
    if (!root) throw new StepFailed('no instance of the process has started');
    play.send(root, { kind: 'SET_VARIABLES', variables });
  },

  resolve(play, { variables, ...place }) {
    const open = play
      .inside(place)
      .flatMap((instance) => play.host.incidents(instance).map((incident) => ({ instance, incident })));
    const found = nthOf(
      open.filter(({ incident }) => incident.node === place.node),
      place,
    );
    if (!found)
      throw missing(
        `an incident ${described(place)}`,
        open.map(({ incident }) => `${incident.errorType} at ${incident.node}`).join(', ') || 'none',
      );
    const { instance, incident } = found;
    play.send(instance, { kind: 'RESOLVE_INCIDENT', incident: incident.id, ...(variables && { variables }) });
  },

  expect: (play, expectation) => expectAll(play.observe(), expectation),
  expectAmong: (play, expectation) => expectAmong(play.observe(), expectation),
};

export function kindOf(step: Step): StepKind {
  return Object.keys(step)[0] as StepKind;
}

/** Undefined for a step that applies at no element. */
export function placeOf(step: Step): Place | undefined {
  const { completeJob, failJob, throwError, completeTask, call, triggerAdHoc, resolve } = step;
  return completeJob ?? failJob ?? throwError ?? completeTask ?? call ?? triggerAdHoc ?? resolve;
}

/** @throws StepFailed, PayloadTooLarge */
export function carryOut(play: Play, step: Step): void {
  const kind = kindOf(step);
  (steps[kind] as (play: Play, content: unknown) => void)(play, step[kind]);
}

function jobAt(play: Play, place: Place): Found<'job'> {
  const job = nthOf(
    play.open('job', place).filter((open) => isAt(play, open, place)),
    place,
  );
  if (job) return job;
  throw notFound(play, `a job ${described(place)}`, place, ['job']);
}

function isAt(play: Play, open: Found<'job'>, { node, type }: Place): boolean {
  return node === undefined ? play.jobType(open) === type : open.wait.node === node;
}

function openAt<Kind extends WaitKind>(play: Play, kind: Kind, what: string, place: Place): Found<Kind> {
  const found = nthOf(
    play.open(kind, place).filter(({ wait }) => wait.node === place.node),
    place,
  );
  if (found) return found;
  throw notFound(play, `${what} ${described(place)}`, place, [kind]);
}

/** The one of those at a place that a step means, in the order in which it looks. */
export function nthOf<Open>(open: readonly Open[], { nth = 1 }: Place): Open | undefined {
  return open[nth - 1];
}

/** The first instance in which the ad-hoc sub-process is active. */
export function instanceWithAdHoc(play: Play, place: Place): MemoryInstance | undefined {
  return play.inside(place).find((instance) => adHocsIn(instance).includes(place.node!));
}

/** Ids of active ad-hoc sub-processes. */
function adHocsIn({ model, state }: MemoryInstance): string[] {
  return Object.values(state.elements)
    .map(({ node }) => node)
    .filter((node) => model.node(node).kind === 'adHocSubProcess');
}

function described({ node, type, in: call, nth = 1 }: Place): string {
  const which = nth === 1 ? '' : `, number ${nth}`;
  const where = call === undefined ? '' : `, called by ${call}`;
  return `${node === undefined ? `of type ${type}` : `at ${node}`}${which}${where}`;
}

function notFound(play: Play, what: string, place: Place, kinds: readonly WaitKind[]): StepFailed {
  const open = kinds.flatMap((kind) =>
    play
      .open(kind, place)
      .map((found) =>
        found.wait.kind === 'job' ? `${found.wait.node} (${play.jobType(found as Found<'job'>)})` : found.wait.node,
      ),
  );
  return missing(what, open.join(', ') || 'none');
}

function missing(what: string, found: string): StepFailed {
  return new StepFailed(`there is no ${what.replace(/^an? /, '')}`, [{ what: 'open', expected: what, found }]);
}

/**
 * The content of an `advance` in milliseconds.
 * @throws StepFailed
 */
export function timeToPass(host: MemoryHost, duration: string): number {
  return duration === 'next timer' ? untilNextTimer(host.nextDue(), host.now) : lengthOf(duration);
}

function untilNextTimer(due: number, now: number): number {
  if (due === Infinity) throw new StepFailed('no timer is open');
  return Math.max(0, due - now);
}

function lengthOf(duration: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds !== undefined) return milliseconds;
  throw new StepFailed(
    `${JSON.stringify(duration)} is not a duration. Write PT1H30M, 1h30m, P7D (${formatDuration(604_800_000)}), or "next timer"`,
  );
}

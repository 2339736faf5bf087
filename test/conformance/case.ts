/** A row of `docs/conformance.md`: one variation of a BPMN element, what is done to it, and what has to come of it. */
import type { JobResult } from '@perdure/engine/contract/commands.js';
import type { Json, Variables } from '@perdure/engine/contract/json.js';

export interface Family {
  /** Heading in the document. */
  title: string;
  /** The file in `cases/`. */
  file: string;
  cases: readonly ConformanceCase[];
}

export interface ConformanceCase {
  /** The variation, as the document names it; unique within its family. */
  shows: string;
  /** Where BPMN 2.0.2 says so. */
  section: string;
  /** BPMN files, deployed in this order. Process `p` is started first of all, unless `startsItself`. */
  files: string | readonly string[];
  /** Nothing starts `p` but what happens in `play`. */
  startsItself?: true;
  /** A DMN file. */
  decisions?: string;
  variables?: Variables;
  /** Further variables that are different on every host: instants to come, for timers. `now` in epoch milliseconds. */
  clock?: (now: number) => Variables;
  play?: readonly Stimulus[];
  /** One for each instance that there is in the end, in any order. */
  outcome: Outcome | readonly Outcome[];
}

export interface Outcome {
  /** Which process; `p` unless given. */
  process?: string;
  /** COMPLETED unless given. */
  status?: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
  /**
   * What was activated, in order: `work` completed, `work!` was left through its own error event, `work~` was ended by
   * something else, `work?` is still active. An inner instance of a loop carries its number: `work#2`.
   */
  history: string;
  /** Open incidents, each as node and error type: `divide FeelError`. */
  incidents?: readonly string[];
  /** The process's own variables without those of `clock`; not looked at when absent. */
  variables?: Variables;
}

/** Stimuli for the instances of a case, from outside. The oldest instance and the oldest of several waits of a node are meant. */
export type Stimulus =
  /** `result`: the decision, for the job of an ad-hoc sub-process. */
  | { kind: 'completeJob'; node: string; variables?: Variables; result?: JobResult }
  | { kind: 'failJob'; node: string; errorCode: string; variables?: Variables }
  | { kind: 'completeTask'; node: string; variables?: Variables }
  | { kind: 'failTask'; node: string; errorCode: string }
  | { kind: 'resolve'; node: string; variables?: Variables }
  /** `ttl` in milliseconds. */
  | { kind: 'message'; name: string; key?: Json; variables?: Variables; ttl?: number }
  | { kind: 'signal'; name: string; variables?: Variables; ttl?: number }
  | { kind: 'setVariables'; variables: Variables }
  | { kind: 'conditions'; variables: Variables }
  | { kind: 'triggerAdHoc'; node: string; inside: string }
  | { kind: 'setAdHocVariables'; node: string; variables: Variables }
  | { kind: 'timePasses'; ms: number }
  | { kind: 'start'; process: string; variables?: Variables }
  /** `process`: the oldest instance of this one; the oldest of all when absent. */
  | { kind: 'cancel'; process?: string; reason?: string }
  /** Deploys a newer version of `p` and migrates the oldest instance to it; `mappings` from old ids to new ones. */
  | { kind: 'migrate'; file: string; mappings?: Readonly<Record<string, string>>; variables?: Variables }
  /** The host refuses the stimulus, and nothing changes. */
  | { kind: 'refused'; stimulus: Stimulus }
  /** The oldest instance is suspended before and resumed after them; with `definition`, the newest version of that process. */
  | { kind: 'duringPause'; stimuli: readonly Stimulus[]; definition?: string };

/** Short ways to write stimuli. */
export const act = {
  completeJob: (node: string, variables?: Variables): Stimulus => ({
    kind: 'completeJob',
    node,
    ...(variables && { variables }),
  }),
  decide: (node: string, result: JobResult): Stimulus => ({ kind: 'completeJob', node, result }),
  failJob: (node: string, errorCode: string, variables?: Variables): Stimulus => ({
    kind: 'failJob',
    node,
    errorCode,
    ...(variables && { variables }),
  }),
  completeTask: (node: string, variables?: Variables): Stimulus => ({
    kind: 'completeTask',
    node,
    ...(variables && { variables }),
  }),
  failTask: (node: string, errorCode: string): Stimulus => ({ kind: 'failTask', node, errorCode }),
  resolve: (node: string, variables?: Variables): Stimulus => ({
    kind: 'resolve',
    node,
    ...(variables && { variables }),
  }),
  message: (name: string, key?: Json, variables?: Variables, ttl?: number): Stimulus => ({
    kind: 'message',
    name,
    ...(key !== undefined && { key }),
    ...(variables && { variables }),
    ...(ttl !== undefined && { ttl }),
  }),
  signal: (name: string, variables?: Variables, ttl?: number): Stimulus => ({
    kind: 'signal',
    name,
    ...(variables && { variables }),
    ...(ttl !== undefined && { ttl }),
  }),
  setVariables: (variables: Variables): Stimulus => ({ kind: 'setVariables', variables }),
  /** Has the conditions of start events evaluated. */
  conditions: (variables: Variables): Stimulus => ({ kind: 'conditions', variables }),
  triggerAdHoc: (node: string, inside: string): Stimulus => ({ kind: 'triggerAdHoc', node, inside }),
  setAdHocVariables: (node: string, variables: Variables): Stimulus => ({ kind: 'setAdHocVariables', node, variables }),
  /** Every timer that is due within a second fires. */
  timers: { kind: 'timePasses', ms: 1000 } as Stimulus,
  start: (process: string, variables?: Variables): Stimulus => ({
    kind: 'start',
    process,
    ...(variables && { variables }),
  }),
  cancel: { kind: 'cancel' } as Stimulus,
  cancelOf: (process: string, reason?: string): Stimulus => ({
    kind: 'cancel',
    process,
    ...(reason !== undefined && { reason }),
  }),
  migrate: (file: string, mappings?: Readonly<Record<string, string>>, variables?: Variables): Stimulus => ({
    kind: 'migrate',
    file,
    ...(mappings && { mappings }),
    ...(variables && { variables }),
  }),
  refused: (stimulus: Stimulus): Stimulus => ({ kind: 'refused', stimulus }),
  duringPause: (...stimuli: readonly Stimulus[]): Stimulus => ({ kind: 'duringPause', stimuli }),
  duringPauseOf: (definition: string, ...stimuli: readonly Stimulus[]): Stimulus => ({
    kind: 'duringPause',
    definition,
    stimuli,
  }),
};

/** Due while the test looks on. */
export const SOON = 'PT0.3S';
/** Never due while a test runs. */
export const LATER = 'PT1H';

/** What `SOON` means for a timer with a date. */
export function soon(now: number): string {
  return new Date(now + 300).toISOString();
}

/** A play as a scenario that passes. */
import { equalJson, type Variables } from '@perdure/engine/contract/json.js';
import { byteLength } from '@perdure/engine/behaviors/lifecycle/size.js';
import type { Play } from '../scenario/play.js';
import type { Expectation, Scenario } from '../scenario/scenario.js';
import { startOf, stepsOf, type Move } from './moves.js';

export interface Played {
  name: string;
  processID: string;
  /** Epoch milliseconds. */
  now: number;
  /** Names of the files. */
  files: readonly string[];
  moves: readonly Move[];
}

/** Larger variables are data of this run rather than results that a test compares. */
const MAX_EXPECTED_BYTES = 10_000;

export function scenarioOf(play: Play, { name, processID, now, files, moves }: Played): Scenario {
  const start = startOf(moves);
  const expect = expectationOf(play, start?.variables);
  return {
    name,
    process: processID,
    files: [...files],
    now: new Date(now).toISOString(),
    ...(start && { start }),
    steps: stepsOf(moves),
    ...(expect && { expect }),
  };
}

/** The first instance of the process as it is; undefined without one. */
export function expectationOf(play: Play, started: Variables = {}): Expectation | undefined {
  const { root, incidents } = play.observe();
  const status = play.root?.state.status;
  if (!root || !status) return undefined;
  const { active } = root;
  const passed = [...new Set(root.completed)];
  const variables = resultsOf(root.variables, started);
  return {
    status,
    ...(status === 'RUNNING' && { active: [...active] }),
    ...(passed.length > 0 && { passed }),
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(incidents.length > 0 && { incidents: incidents.map(({ node, errorType }) => ({ node, type: errorType })) }),
  };
}

/** The variables that the process has made, without large ones. */
function resultsOf(variables: Variables, started: Variables): Variables {
  return Object.fromEntries(
    Object.entries(variables).filter(
      ([name, value]) =>
        !(Object.hasOwn(started, name) && equalJson(started[name]!, value)) && byteLength(value) <= MAX_EXPECTED_BYTES,
    ),
  );
}

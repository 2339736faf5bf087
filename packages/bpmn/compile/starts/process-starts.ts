/**
 * How a process can start: by a caller or by an event. Determined on compilation, because evaluating the expressions of
 * names and timers may take time.
 */
import { beginnings } from '@perdure/engine/behaviors/lifecycle/scopes.js';
import { entryPoints } from '@perdure/engine/model/entry-points.js';
import type { Graph } from '@perdure/engine/model/graph.js';
import { modelOf } from '@perdure/engine/model/model.js';
import { isOver, planStartTimer } from '@perdure/engine/time/start-timer.js';

/** A message or signal that starts a process: the node, and the index of its trigger. */
interface StartTrigger {
  node: string;
  trigger: number;
  type: 'message' | 'signal';
  name: string;
  /** Whether an instance starts only when all triggers of the node have arrived. */
  together?: true;
}

/** A timer that starts a process. */
interface StartTimer {
  node: string;
  trigger: number;
  type: 'date' | 'cycle';
  timer: string;
}

export interface ProcessStarts {
  /** Whether callers can start it, without an event. */
  startsByCall: boolean;
  startTriggers: StartTrigger[];
  /** A date in the past does not count. */
  startTimers: StartTimer[];
}

/** @param graph without errors */
export function startsOf(graph: Graph): ProcessStarts {
  const now = Date.now();
  const model = modelOf(graph);
  const starts: ProcessStarts = {
    startsByCall: beginnings(model, model.root).length > 0,
    startTriggers: [],
    startTimers: [],
  };
  for (const { node, trigger, together, what } of entryPoints(model, now)) {
    if (what.kind === 'message' || what.kind === 'signal')
      starts.startTriggers.push({ node, trigger, type: what.kind, name: what.name, ...(together && { together }) });
    else if (
      what.kind === 'timer' &&
      what.at !== 'duration' &&
      what.text !== undefined &&
      isToCome(what.at, what.text, now)
    ) {
      starts.startTimers.push({ node, trigger, type: what.at, timer: what.text });
    }
  }
  return starts;
}

function isToCome(at: StartTimer['type'], text: string, now: number): boolean {
  const planned = planStartTimer(at, text, now);
  return planned.ok && !isOver(planned.plan, now);
}

/** What starts a process besides a caller. */
import { entryPoints } from '../../../engine/entry-points.js';
import type { Graph } from '../../../engine/graph.js';
import { modelOf } from '../../../engine/model.js';
import { isOver, planStartTimer } from '../../../engine/triggers/start-timer.js';
import type { StartTrigger } from '../../../store/start-subscriptions.js';
import type { StartTimer } from '../../../store/start-timers.js';

export interface ProcessStarts {
  startTriggers: StartTrigger[];
  startTimers: StartTimer[];
}

/** Messages, signals and timers by which instances of the process begin; a date that has passed is none. */
export function startsOf(graph: Graph): ProcessStarts {
  const now = Date.now();
  const starts: ProcessStarts = { startTriggers: [], startTimers: [] };
  for (const { node, trigger, what } of entryPoints(modelOf(graph), now)) {
    if (what.kind === 'message' || what.kind === 'signal') starts.startTriggers.push({ node, trigger, type: what.kind, name: what.name });
    else if (what.kind === 'timer' && what.at !== 'duration' && what.text !== undefined && isToCome(what.at, what.text, now)) {
      starts.startTimers.push({ node, trigger, type: what.at, timer: what.text });
    }
  }
  return starts;
}

function isToCome(at: StartTimer['type'], text: string, now: number): boolean {
  const planned = planStartTimer(at, text, now);
  return planned.ok && !isOver(planned.plan, now);
}

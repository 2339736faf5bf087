/** Compensation events: BPMN 2.0.2 section 10.5.5.1. The compensation itself is in `behaviors/compensation/compensation.ts`. */
import { scopesInReach, startCompensation } from '../behaviors/compensation/compensation-records.js';
import { scopeOf } from '../run.js';
import type { TriggerBehavior } from './trigger.js';

export interface CompensateTrigger {
  kind: 'compensate';
  /** For a throwing event: the activity to compensate; absent: everything in reach. */
  activity?: string;
  /** For a throwing event: it continues at once, while compensation runs. */
  goesOn?: true;
}

export const compensate: TriggerBehavior<CompensateTrigger> = {
  compile(definition) {
    const activity = definition.attribute('activityRef');
    return {
      kind: 'compensate',
      ...(activity && { activity }),
      ...(!definition.flag('waitForCompletion', true) && { goesOn: true }),
    };
  },
  throw(run, element, _node, { activity, goesOn }) {
    const scope = scopeOf(run, element)!;
    const started = startCompensation(run, goesOn ? scope : element, scopesInReach(run, scope), activity);
    return { ok: true, value: started && !goesOn ? 'WAITING' : 'THROWN' };
  },
};

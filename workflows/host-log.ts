/** Messages from the workflow of an instance to its process; nothing is returned. */
import { proxySinks, type Sinks } from '@temporalio/workflow';
import type { Defect } from '@perdure/engine/defect.js';

export interface HostLogSinks extends Sinks {
  hostLog: {
    /** A replay, or an adopted step, has different facts than were committed. */
    factsDiffer(step: number, difference: string): void;
    /** The interpreter threw; the instance waits at an EngineError. */
    defect(defect: Defect): void;
  };
}

export const { hostLog } = proxySinks<HostLogSinks>();

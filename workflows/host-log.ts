/** What the workflow of an instance tells the process it runs in; nothing comes back. */
import { proxySinks, type Sinks } from '@temporalio/workflow';
import type { Defect } from '../engine/defect.js';

export interface HostLogSinks extends Sinks {
  hostLog: {
    /** A replay, or an adopted step, has other facts than were written. */
    factsDiffer(park: number, difference: string): void;
    /** The interpreter has thrown; the instance stands at an EngineError. */
    defect(defect: Defect): void;
  };
}

export const { hostLog } = proxySinks<HostLogSinks>();

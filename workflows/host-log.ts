/** What the workflow of an instance tells the process it runs in; nothing comes back. */
import { proxySinks, type Sinks } from '@temporalio/workflow';

export interface HostLogSinks extends Sinks {
  hostLog: {
    /** A replay, or an adopted step, has other facts than were written. */
    factsDiffer(park: number, difference: string): void;
  };
}

export const { hostLog } = proxySinks<HostLogSinks>();

/** The contenders: the product with and without hot instances, its twin, and Temporal alone as floor and ceiling. */
import type { Workload } from './workloads.js';

export interface Contender {
  name: string;
  /** Whose CPU counts as Node's. */
  processIDs: readonly number[];
  /** Does once what has to be done before instances of the workload can be started. */
  prepare(workload: Workload): Promise<void>;
  /** Starts `count` instances, `callers` at once, and returns when all have ended. */
  run(workload: Workload, callers: number, count: number): Promise<void>;
  /** Runs instances one after another and shows how long each took from start to end, in milliseconds. */
  runOneByOne(workload: Workload, count: number): Promise<number[]>;
  /** The workflow id of the newest instance of the workload. */
  newest(workload: Workload): Promise<string>;
}

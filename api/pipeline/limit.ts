/** Limits of a caller's concurrent work. Places are given back when the work ends, however it ends. */
import { tooMany } from '../http/refusals.js';
import type { ApiHost } from './api-host.js';
import type { Call } from './call.js';

/** 429 above the number of searches, evaluations, or streams that a caller may run at once. */
export function limitWork(call: Call, { limits }: ApiHost) {
  const { callerKey } = call.exchange;
  const countsAs = call.stream?.format.countsAs ?? call.operation.countsAs;
  if (countsAs === undefined || callerKey === undefined) return undefined;
  const { simultaneous, excess } = limits.work[countsAs];
  if (!simultaneous.enter(callerKey)) return tooMany(excess, 1);
  call.workPlace = simultaneous;
  return undefined;
}

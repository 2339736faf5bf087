/** Addresses that play the version of a backtest. */
import type { PlayAddress } from '../play/addresses.js';
import type { Backtest } from './backtest-query.js';

/** @returns undefined if the version or the draft was deleted */
export function candidateAddress({
  definitionID,
  version,
  resourceID,
  draftName,
}: Backtest): { version: string } | { resource: string } | undefined {
  if (definitionID !== undefined && version !== undefined) return { version: definitionID };
  return resourceID !== undefined && draftName !== undefined ? { resource: resourceID } : undefined;
}

/** From the first difference of an instance on; only from the start for those who may not continue instances. */
export function differenceAddress(
  backtest: Backtest,
  workflowID: string,
  mayContinue: boolean,
): PlayAddress | undefined {
  const candidate = candidateAddress(backtest);
  return candidate && mayContinue ? { backtest: backtest.backtestID, instance: workflowID } : candidate;
}

/** The only way for requests of the host whose destination a caller or a model chooses. */
import { checkEgress, findEgressEntry, resolveBySystem, type CheckedTarget, type Resolve } from './check.js';
import type { EgressEntry } from './entry.js';
import { send, type OutboundAnswer, type OutboundRequest } from './send.js';

export interface Egress {
  /**
   * Refuses a URL that the allow-list does not permit, when a caller saves it. Does not resolve its host: that is
   * checked by every request.
   * @throws OutboundError `EGRESS_REFUSED`
   */
  permit(url: string): void;
  /**
   * Checks the URL and resolves its host.
   * @param deadline aborted when the addresses come too late
   * @throws OutboundError
   */
  check(url: string, deadline: AbortSignal): Promise<CheckedTarget>;
  /**
   * Sends to an address that was checked. A redirect is returned, not followed.
   * @throws OutboundError; the reason of the request's signal if it is aborted
   */
  send(target: CheckedTarget, request: OutboundRequest): Promise<OutboundAnswer>;
}

export function createEgress(entries: readonly EgressEntry[], resolve: Resolve = resolveBySystem): Egress {
  return {
    permit: (url) => void findEgressEntry(entries, url),
    check: (url, deadline) => checkEgress(entries, url, deadline, resolve),
    send,
  };
}

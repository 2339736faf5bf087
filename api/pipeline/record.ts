import { auditDraft } from '../audit/draft.js';
import type { Call } from './call.js';

/** Drafts the audit entry, unless the operation records nothing or changes nothing. The handler's change completes it. */
export function record(call: Call): undefined {
  const { operation, exchange, caller, query, body } = call;
  const { operationID, records } = operation;
  if (records === undefined || caller === undefined || call.isDryRun) return;
  const { requestID, clientRequestID, via, params = {} } = exchange;
  const content = records.says({ params, query, body });
  call.audit = auditDraft({ operationID, requestID, clientRequestID, via, caller, params, query, body, content });
}

/** The audit entry of a request, before its change is written. */
import type { AuditDraft, AuditSubjects } from '../../store/audit/entries.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import type { Caller } from '../access/caller.js';
import type { EntryContent } from '../contract/audit/recording.js';

/** Path parameters and members of responses that name something. */
const SUBJECTS = [
  'workflowID',
  'definitionID',
  'executionKey',
  'batchID',
  'processId',
  'resourceID',
  'deploymentID',
  'incidentID',
  'publicationID',
  'hookID',
  'subscriptionID',
  'subject',
] as const satisfies readonly (keyof AuditSubjects)[];

/** At most this many names of variables, so that an entry stays small. */
export const MAX_NAMES = 200;

interface AuditedRequest {
  readonly operationID: string;
  readonly requestID: string;
  readonly clientRequestID?: string | undefined;
  readonly via: AuditDraft['via'];
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** Declared by the operation. */
  readonly content: EntryContent;
}

/** Only ids, names, the reason, and what the operation declares; never a value. */
export function auditDraft(request: AuditedRequest): AuditDraft {
  const { operationID, requestID, clientRequestID, via, caller, params, query, body, content } = request;
  const { names = [], ...others } = content;
  const reason = stringOf(body, 'reason') ?? stringOf(query, 'reason');
  return {
    actor: caller.subject,
    actorType: caller.isServiceAccount ? 'SERVICE' : 'PERSON',
    via,
    operation: operationID,
    requestID,
    ...(clientRequestID !== undefined && { clientRequestID }),
    ...(reason !== undefined && { reason }),
    ...instanceOf(params['executionKey']),
    ...subjectsIn(params),
    ...(params['processID'] !== undefined && { processId: params['processID'] }),
    ...others,
    ...(names.length > 0 && { names: names.slice(0, MAX_NAMES) }),
  };
}

/** The key of a job or a user task begins with the id of its instance, whose timeline has the entry. */
function instanceOf(executionKey: string | undefined): AuditSubjects {
  const parsed = executionKey === undefined ? undefined : parseExecutionKey(executionKey);
  return parsed ? { workflowID: parsed.workflowID } : {};
}

/** The draft with the ids that the response names, and with what the handler adds. */
export function completed(draft: AuditDraft, body: unknown, added: Partial<AuditDraft> = {}): AuditDraft {
  const details = { ...draft.details, ...added.details };
  return { ...draft, ...(isRecord(body) && subjectsIn(body)), ...added, details };
}

function subjectsIn(values: Readonly<Record<string, unknown>>): AuditSubjects {
  const found: AuditSubjects = {};
  for (const name of SUBJECTS) if (typeof values[name] === 'string') found[name] = values[name];
  return found;
}

function stringOf(value: unknown, name: string): string | undefined {
  const member = isRecord(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

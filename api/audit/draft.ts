/** The audit entry of a request, before its change is written. */
import type { AuditDraft, AuditSubjects } from '../../store/audit/entries.js';
import { parseExecutionKey } from '../../store/sql/ids.js';
import type { Caller } from '../access/caller.js';

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
  'subject',
] as const satisfies readonly (keyof AuditSubjects)[];

interface AuditedRequest {
  readonly operationID: string;
  readonly requestID: string;
  readonly via: AuditDraft['via'];
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Only ids, names, and the reason; never a value. */
export function auditDraft({ operationID, requestID, via, caller, params, query, body }: AuditedRequest): AuditDraft {
  const reason = stringOf(body, 'reason') ?? stringOf(query, 'reason');
  const names = namesIn(operationID, body);
  return {
    actor: caller.subject,
    actorType: caller.isServiceAccount ? 'SERVICE' : 'PERSON',
    via,
    operation: operationID,
    requestID,
    ...(reason !== undefined && { reason }),
    ...(names.length > 0 && { names }),
    ...instanceOf(params['executionKey']),
    ...subjectsIn(params),
    ...(params['processID'] !== undefined && { processId: params['processID'] }),
    ...(stringOf(body, 'workflowID') !== undefined && { workflowID: stringOf(body, 'workflowID') }),
  };
}

/** The key of a job or a user task begins with the id of its instance, whose timeline has the entry. */
function instanceOf(executionKey: string | undefined): AuditSubjects {
  const parsed = executionKey === undefined ? undefined : parseExecutionKey(executionKey);
  return parsed ? { workflowID: parsed.workflowID } : {};
}

/** The draft with the ids that the response names. */
export function withSubjectsOf(draft: AuditDraft, body: unknown): AuditDraft {
  return { ...draft, ...(isRecord(body) && subjectsIn(body)) };
}

/** At most this many names, so that an entry stays small. */
export const MAX_NAMES = 200;

/** Variables, or settings of a project. */
function namesIn(operationID: string, body: unknown): string[] {
  if (!isRecord(body)) return [];
  const named = operationID === 'ChangeProjectSettings' ? body : body['variables'];
  return isRecord(named) ? Object.keys(named).slice(0, MAX_NAMES) : [];
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

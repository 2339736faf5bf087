import type { AuditDraft } from '../../store/audit/entries.js';

/** Names what a deployment created. A single definition is the subject, so that the entry is found by its id. */
export function createdDefinitions(definitionIDs: readonly string[]): Pick<AuditDraft, 'definitionID' | 'details'> {
  const [only, ...others] = definitionIDs;
  return others.length === 0 ? { definitionID: only } : { details: { definitionIDs: [...definitionIDs] } };
}

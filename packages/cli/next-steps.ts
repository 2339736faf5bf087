/** The next step after the host refused a call. */
import { printable } from '@perdure/lib/trust/printable.js';
import type { ApiError } from '@perdure/client';

const nextSteps: { readonly [code: string]: string } = {
  UNAUTHORIZED: 'Check the credentials: they may have expired, or belong to another host. Run perdure profile list.',
  NOT_FOUND: 'Check the id and --project. If both are right, this account has no access to it, or too low a role.',
  INSTANCE_ENDED: 'Run perdure show WORKFLOW_ID to see how it ended.',
  SUSPENDED: 'Run perdure resume WORKFLOW_ID first.',
  DEFINITION_SUSPENDED: 'Run perdure definitions resume PROCESS first.',
  CONFLICT: 'The state has changed since you looked. Check it, then repeat the command if it still applies.',
  LEASE_LOST: 'A job worker has leased the job. Wait for its result, or until the lease expires.',
  IDEMPOTENCY_KEY_REUSED: 'Choose another --idempotency-key, or repeat the first request unchanged.',
  PAYLOAD_TOO_LARGE: 'Send smaller variables.',
  TOO_MANY_REQUESTS: 'Wait a few seconds, then repeat the command.',
};

/** The sentences of a refusal, with every issue that the host names on a separate line. */
export function describeRefusal({ message, code, details }: ApiError): string {
  const next = nextSteps[code ?? ''];
  const sentence = next === undefined ? message : `${message.replace(/\.$/, '')}. ${next}`;
  return [sentence, ...issuesOf(details).map((issue) => `  ${issue}`)].map(printable).join('\n');
}

function issuesOf(details: unknown): string[] {
  const { issues } = (details ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? issues.map(String) : [];
}

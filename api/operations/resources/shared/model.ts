/** The problems of an incoming BPMN file, and the responses for them. */
import type { z } from 'zod';
import type { CompiledResource } from '@perdure/bpmn';
import { problem } from '../../../contract/problem.js';
import type { Problem } from '../../../contract/problem.js';
import type { validationIssue } from './schemas.js';

type Issue = z.output<typeof validationIssue>;

/** All problems of a model, split by severity. */
export function issuesOf({ problems }: CompiledResource): { errors: Issue[]; warnings: Issue[] } {
  return {
    errors: problems.filter(({ severity }) => severity === 'error'),
    warnings: problems.filter(({ severity }) => severity === 'warning'),
  };
}

/**
 * The problem for a file that cannot be stored even as a draft, because it is not well-formed XML or exceeds a limit;
 * undefined for any other file. Other errors of the model matter only when it is deployed.
 */
export function unreadable(compiled: CompiledResource): Problem<'INVALID_MODEL' | 'PAYLOAD_TOO_LARGE'> | undefined {
  if (compiled.refused === undefined) return undefined;
  if (compiled.refused === 'TOO_LARGE')
    return problem('PAYLOAD_TOO_LARGE', compiled.problems[0]?.message ?? 'The file is too large');
  return invalidModel(compiled);
}

/** The problem for a model that cannot be deployed, with all its errors. */
export function invalidModel(compiled: CompiledResource): Problem<'INVALID_MODEL'> {
  const details = issuesOf(compiled);
  return problem('INVALID_MODEL', `The model has ${details.errors.length} error(s): ${summary(details.errors)}`, {
    details,
  });
}

function summary(errors: readonly Issue[]): string {
  const [first, ...others] = errors.map(({ elementID, message }) =>
    elementID === undefined ? message : `${elementID}: ${message}`,
  );
  return others.length === 0 ? `${first}` : `${first} (and ${others.length} more, see details)`;
}

/** The process with this id, or the only one. */
export function chooseProcess<Process extends { processID: string }>(
  processes: readonly Process[],
  asked: string | undefined,
): Process | Problem<'BAD_REQUEST'> {
  const candidates = processes.filter(({ processID }) => asked === undefined || processID === asked);
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  const names = processes.map(({ processID }) => processID).join(', ');
  return problem('BAD_REQUEST', `processID: must be a process of this resource: ${names}`);
}

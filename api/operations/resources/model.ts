/** A BPMN file on its way in: what is wrong with it, and as which answer. */
import type { z } from 'zod';
import type { CompiledResource } from '../../../bpmn/index.js';
import { problem } from '../../problem.js';
import type { Problem } from '../../problem.js';
import type { validationIssue } from './schemas.js';

type Issue = z.output<typeof validationIssue>;

/** Everything that is wrong with a model, apart by severity. */
export function issuesOf({ problems }: CompiledResource): { errors: Issue[]; warnings: Issue[] } {
  return {
    errors: problems.filter(({ severity }) => severity === 'error'),
    warnings: problems.filter(({ severity }) => severity === 'warning'),
  };
}

/**
 * The answer to a file that cannot even be kept as a draft: no well-formed XML, or beyond the limits. Undefined for
 * one that can; what else is wrong with it matters when it is deployed.
 */
export function unreadable(compiled: CompiledResource): Problem<'INVALID_MODEL' | 'PAYLOAD_TOO_LARGE'> | undefined {
  if (compiled.refused === undefined) return undefined;
  if (compiled.refused === 'TOO_LARGE') return problem('PAYLOAD_TOO_LARGE', compiled.problems[0]?.message ?? 'The file is too large.');
  return invalidModel(compiled);
}

/** The answer to a model that cannot be deployed, with all its problems. */
export function invalidModel(compiled: CompiledResource): Problem<'INVALID_MODEL'> {
  const details = issuesOf(compiled);
  return problem('INVALID_MODEL', `The model has ${details.errors.length} error(s): ${summary(details.errors)}`, { details });
}

function summary(errors: readonly Issue[]): string {
  const [first, ...others] = errors.map(({ elementID, message }) => (elementID === undefined ? message : `${elementID}: ${message}`));
  return others.length === 0 ? `${first}` : `${first} (and ${others.length} more, see details)`;
}

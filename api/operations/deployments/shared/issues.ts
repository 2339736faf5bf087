/** Problems of the files of a bundle, all at once. */
import { problem, type Problem } from '../../../contract/problem.js';

/** A problem of one file; `line` and `column` count from 1. */
export interface FileIssue {
  severity: 'error' | 'warning';
  elementID?: string;
  message: string;
  file: string;
  line?: number;
  column?: number;
}

/** A hundred hostile files must not cause an answer of many megabytes. */
const MAX_ISSUES = 1000;

export function invalidBundle(issues: readonly FileIssue[]): Problem<'INVALID_MODEL'> {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const warnings = issues.filter(({ severity }) => severity === 'warning');
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more, see details)` : '';
  return problem(
    'INVALID_MODEL',
    `The bundle has ${errors.length} error(s): ${first!.file}: ${first!.message}${others}`,
    { details: { errors: errors.slice(0, MAX_ISSUES), warnings: warnings.slice(0, MAX_ISSUES) } },
  );
}

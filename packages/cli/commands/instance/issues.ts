import { printable } from '@perdure/lib/trust/printable.js';
import { counted } from '../../terminal.js';

/** The result of a dry run. */
export function describeIssues(issues: readonly string[], file: string): string[] {
  const summary =
    issues.length === 0
      ? `${file} is valid for the instance as it is now. Nothing has changed.`
      : `${file} has ${counted(issues.length, 'issue')}. Nothing has changed. Correct the file, then ` +
        'repeat the dry run.';
  return [...issues.map((issue) => `  ${issue}`), summary].map(printable);
}

/** A reporter of vitest that writes the errors outside of tests, such as uncaught ones, which its JSON report leaves out. */
import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

export default class OutsideErrors implements Reporter {
  readonly onTestRunEnd: Reporter['onTestRunEnd'] = (_modules, errors) => {
    const file = process.env['PERDURE_OUTSIDE_ERRORS'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(errors.map(({ message }) => message)));
  };
}

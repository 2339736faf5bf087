import { isTestID } from '../../store/projects/tests.js';

/** The mark of an instance that tests a draft, and of its work. */
export function testMark(workflowID: string): { isTest?: true } {
  return isTestID(workflowID) ? { isTest: true } : {};
}

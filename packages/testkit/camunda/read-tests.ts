/** The tests of a file: one scenario, or the test cases of Camunda. */
import { parseScenario, readScenario } from '../scenario/scenario.js';
import { isTestCases, readTestCases, type ReadTest } from './test-cases.js';

/**
 * @param file its name, for messages
 * @throws InvalidScenario with every problem if the file is neither
 */
export function readTests(text: string, file: string): ReadTest[] {
  const value = parseScenario(text, file);
  if (isTestCases(value)) return readTestCases(value, file);
  const scenario = readScenario(text, file);
  return [{ name: scenario.name, scenario }];
}

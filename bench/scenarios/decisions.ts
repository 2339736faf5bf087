/** How long a decision table of 100 rules and 4 inputs takes, loaded once. */
import { performance } from 'node:perf_hooks';
import { compileModel, LoadedModel } from '@perdure/dmn';
import { median } from '../statistics.js';

export interface DecisionFigures {
  rules: number;
  inputs: number;
  /** Microseconds of one evaluation, by which rule matches: median of the rounds. */
  microseconds: { first: number; middle: number; none: number };
}

const RULES = 100;
const INPUTS = ['amount', 'age', 'country', 'status'];
const EVALUATIONS = 2000;
const ROUNDS = 7;

/** Every rule has to be evaluated, and each fails at its last cell or matches. */
function tableText(): string {
  const inputs = INPUTS.map((name) => `<input><inputExpression><text>${name}</text></inputExpression></input>`);
  const rules = Array.from({ length: RULES }, (_, index) => {
    const cells = [`&gt; 100`, '[18..99]', '"DE", "FR", "US"', `"status ${index}"`];
    return `<rule id="rule_${index}">${cells.map((cell) => `<inputEntry><text>${cell}</text></inputEntry>`).join('')}<outputEntry><text>${index}</text></outputEntry></rule>`;
  });
  return `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="bench" name="bench" namespace="urn:bench">
    <decision id="risk" name="risk"><decisionTable hitPolicy="UNIQUE">${inputs.join('')}<output name="risk"/>${rules.join('')}</decisionTable></decision></definitions>`;
}

export async function measureDecisions(): Promise<DecisionFigures> {
  const model = new LoadedModel(compileModel(tableText()).model!);
  const measure = (status: string): number => {
    const context = { amount: 1000, age: 40, country: 'US', status };
    const rounds = Array.from({ length: ROUNDS }, () => {
      const begin = performance.now();
      for (let index = 0; index < EVALUATIONS; index++) model.evaluate(context, {}, { now: 0, mode: 'strict' });
      return ((performance.now() - begin) * 1000) / EVALUATIONS;
    });
    return median(rounds);
  };
  return {
    rules: RULES,
    inputs: INPUTS.length,
    microseconds: { first: measure('status 0'), middle: measure(`status ${RULES / 2}`), none: measure('other') },
  };
}

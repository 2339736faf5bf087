/** Script tasks: BPMN 2.0.2 section 10.3.3. The script is a FEEL expression. */
import { complete } from '../behaviors/lifecycle/activation.js';
import { fail } from '../behaviors/lifecycle/failures.js';
import { value } from '../feel.js';
import type { ActivityBase, Expression } from '../model/graph.js';
import type { ElementBehavior } from './element.js';

export interface ScriptTaskNode extends ActivityBase {
  kind: 'scriptTask';
  script: Expression;
  resultVariable?: string;
}

const FEEL_FORMATS = [
  '',
  'feel',
  'application/feel',
  'https://www.omg.org/spec/DMN/20191111/FEEL/',
  'https://www.omg.org/spec/DMN/20230324/FEEL/',
];

export const scriptTask: ElementBehavior<ScriptTaskNode> = {
  isActivity: true,

  compile(source, compiler) {
    const extension = source.extension('script');
    const format = source.attribute('scriptFormat') ?? '';
    if (!FEEL_FORMATS.includes(format)) {
      compiler.problem(
        'error',
        source,
        `Script format ${JSON.stringify(format)} is not supported: scripts are FEEL expressions. Rewrite the script in FEEL, or use a service task.`,
      );
    }
    const script = extension?.attribute('expression') ?? source.children('script')[0]?.text ?? '';
    if (script.trim() === '') compiler.problem('error', source, 'A script task needs a FEEL expression as its script');
    const resultVariable = extension?.attribute('resultVariable');
    return {
      script: compiler.feel(source, script, 'script'),
      ...(resultVariable && { resultVariable: compiler.variableName(source, resultVariable, 'resultVariable') }),
    };
  },

  enter(run, element, node) {
    const result = value(run, element, node.script, `script of ${node.id}`);
    if (!result.ok) return fail(run, element, result.failure);
    complete(run, element, node.resultVariable === undefined ? {} : { [node.resultVariable]: result.value });
  },
};

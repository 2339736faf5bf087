/** Short ways to write decision models. They run in browsers too. */

export const DMN_1_5 = 'https://www.omg.org/spec/DMN/20230324/MODEL/';

/** A file with these elements. */
export function dmn(
  elements: string,
  { namespace = DMN_1_5, target = 'https://example.org/model', attributes = '' } = {},
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="${namespace}" id="model" name="Model" namespace="${target}" ${attributes}>${elements}</definitions>`;
}

/** A decision; `requires` are ids of input data (`input_...`), decisions, and knowledge (`knowledge_...`). */
export function decision(name: string, logic: string, { requires = [] as string[], type = '' } = {}): string {
  const typeRef = type === '' ? '' : ` typeRef="${type}"`;
  return `<decision id="${name}" name="${name}"><variable name="${name}"${typeRef}/>${requires.map(requirement).join('')}${logic}</decision>`;
}

function requirement(id: string): string {
  if (id.startsWith('input_')) return `<informationRequirement><requiredInput href="#${id}"/></informationRequirement>`;
  if (id.startsWith('knowledge_'))
    return `<knowledgeRequirement><requiredKnowledge href="#${id}"/></knowledgeRequirement>`;
  return `<informationRequirement><requiredDecision href="#${id}"/></informationRequirement>`;
}

export function input(name: string, type = ''): string {
  return `<inputData id="input_${name}" name="${name}"><variable name="${name}"${type === '' ? '' : ` typeRef="${type}"`}/></inputData>`;
}

export function literal(text: string, attributes = ''): string {
  return `<literalExpression ${attributes}><text>${escape(text)}</text></literalExpression>`;
}

export function escape(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

export interface TableText {
  hitPolicy?: string;
  inputs: string[];
  /** Names, or names with more: `{name, type, values, fallback}`. */
  outputs: (string | { name: string; type?: string; values?: string; fallback?: string })[];
  /** Cells of each rule: inputs, then outputs. */
  rules: string[][];
  attributes?: string;
}

/** A decision table; its rules have the ids r1, r2 ... */
export function table({ hitPolicy = 'UNIQUE', inputs, outputs, rules, attributes = '' }: TableText): string {
  const inputTexts = inputs.map(
    (text) => `<input><inputExpression><text>${escape(text)}</text></inputExpression></input>`,
  );
  const outputTexts = outputs.map((output) => {
    const { name, type, values, fallback } =
      typeof output === 'string'
        ? { name: output }
        : { type: undefined, values: undefined, fallback: undefined, ...output };
    const inner = `${values === undefined ? '' : `<outputValues><text>${escape(values)}</text></outputValues>`}${fallback === undefined ? '' : `<defaultOutputEntry><text>${escape(fallback)}</text></defaultOutputEntry>`}`;
    return `<output name="${name}"${type === undefined ? '' : ` typeRef="${type}"`}>${inner}</output>`;
  });
  const ruleTexts = rules.map((cells, index) => {
    const cell = (tag: string) => (text: string) => `<${tag}><text>${escape(text)}</text></${tag}>`;
    return `<rule id="r${index + 1}">${cells.slice(0, inputs.length).map(cell('inputEntry')).join('')}${cells.slice(inputs.length).map(cell('outputEntry')).join('')}</rule>`;
  });
  return `<decisionTable hitPolicy="${hitPolicy}" ${attributes}>${[...inputTexts, ...outputTexts, ...ruleTexts].join('')}</decisionTable>`;
}

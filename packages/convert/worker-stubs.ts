/** TypeScript for the jobs of a converted file: handlers to fill in, and a test that runs the process with them. */
import type { Conversion } from './convert.js';
import type { Job } from './context.js';
import { ZEEBE } from '@perdure/lib/model-files/namespaces.js';
import { allElements, parseXml } from './xml/document.js';

export interface SourceFile {
  name: string;
  text: string;
}

/** Handlers and test for one model; empty if it has no jobs. @param model its file name, such as `order.bpmn` */
export function workerStubs(model: string, { xml, jobs }: Conversion): SourceFile[] {
  if (jobs.length === 0) return [];
  const name = model.replace(/\.(?:bpmn20\.xml|bpmn|xml)$/, '');
  return [
    { name: `${name}.workers.ts`, text: handlersText(model, jobs, inputsByElement(xml)) },
    { name: `${name}.test.ts`, text: testText(name, model) },
  ];
}

type Inputs = ReadonlyMap<string, readonly string[]>;

/** The targets of the input mappings, by the id of the element. */
function inputsByElement(xml: string): Inputs {
  const inputs = new Map<string, string[]>();
  for (const element of allElements(parseXml(xml).documentElement!)) {
    if (element.namespaceURI !== ZEEBE || element.localName !== 'input') continue;
    const id = element.parentElement?.parentElement?.parentElement?.getAttribute('id');
    const target = element.getAttribute('target');
    if (id && target) inputs.set(id, [...(inputs.get(id) ?? []), target]);
  }
  return inputs;
}

function handlersText(model: string, jobs: readonly Job[], inputs: Inputs): string {
  const types = [...new Set(jobs.map(({ type }) => type))];
  const handlers = types.map((type) =>
    handlerText(
      type,
      jobs.filter((job) => job.type === type),
      inputs,
    ),
  );
  return `/** Job workers for ${comment(model)}. */
${importOf('workOnJobs, type Client', '@perdure/client')}

type Variables = { [name: string]: unknown };

/** By job type. A handler gets the variables of its job and returns those that it sets. */
export const handlers: { readonly [type: string]: (variables: Variables) => Promise<Variables> } = {
${handlers.join('\n\n')}
};

/** Works until \`signal\` is aborted. */
export async function work(client: Client, projectID: string, signal: AbortSignal): Promise<void> {
  const clientID = \`${identifier(model)}-\${process.pid}\`;
  await Promise.all(
    Object.entries(handlers).map(([taskType, handle]) =>
      workOnJobs({ client, projectID, clientID, taskType, handler: ({ variables }) => handle(variables ?? {}) }, signal),
    ),
  );
}
`;
}

function handlerText(type: string, alike: readonly Job[], inputs: Inputs): string {
  const given = [...new Set(alike.flatMap(({ elementID }) => inputs.get(elementID) ?? []))];
  const set = [...new Set(alike.flatMap(({ resultVariable }) => resultVariable ?? []))];
  const places = [...new Set(alike.map(({ elementID }) => elementID))].join(', ');
  const codes = [...new Set(alike.map(({ performedBy }) => performedBy).filter((code) => code !== ''))];
  const lines = [
    `At ${places}.`,
    ...codes.flatMap((code) => [`It ran:`, ...code.split('\n').map((line) => `  ${line.trim()}`)]),
    ...(given.length > 0 ? [`Inputs: ${given.join(', ')}.`] : []),
  ];
  return `  /**
${lines.map((line) => `   * ${comment(line)}`.trimEnd()).join('\n')}
   */
  async ${JSON.stringify(type)}(_variables) {
    return {${set.map((name) => ` ${JSON.stringify(name)}: null`).join(',')}${set.length > 0 ? ' ' : ''}};
  },`;
}

function testText(name: string, model: string): string {
  return `/** Runs ${comment(model)} to its end with the handlers of ${comment(name)}.workers.ts. */
${importOf('expect, it', 'vitest')}
${importOf('testProcess', '@perdure/testkit')}
${importOf('handlers', `./${name}.workers.js`)}

const MAX_STEPS = 100;
const DAY_MS = 86_400_000;

it(${JSON.stringify(`${name} runs to its end`)}, async () => {
  const tested = await testProcess(new URL(${JSON.stringify(`./${model}`)}, import.meta.url));
  const instance = tested.start({});
  for (let step = 0; step < MAX_STEPS && instance.status === 'RUNNING'; step += 1) {
    const [job] = instance.jobs;
    const [task] = instance.tasks;
    if (job) job.complete(await handlers[job.type]!(job.variables));
    else if (task) task.complete({});
    else tested.advance(DAY_MS);
  }
  expect(instance.incidents).toEqual([]);
  expect(instance.status).toBe('COMPLETED');
});
`;
}

/** A line of the written file; this package itself does not import it. */
function importOf(names: string, module: string): string {
  return `import { ${names} } from '${module}';`;
}

/** Text of a file inside a comment. */
function comment(text: string): string {
  return text.replaceAll('*/', '*\\/');
}

function identifier(model: string): string {
  return model.replaceAll(/[^A-Za-z0-9]+/g, '-');
}

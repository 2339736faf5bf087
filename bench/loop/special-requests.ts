/** Requests whose cost is not that of their JSON: files, expressions, and large accepted bodies. */

export interface SpecialRequest {
  readonly what?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const MiB = 1024 * 1024;

export function specialRequests(projectID: string): SpecialRequest[] {
  const project = `/projects/${projectID}`;
  const post = (what: string, path: string, body: unknown): SpecialRequest => ({
    what,
    method: 'POST',
    path,
    body: JSON.stringify(body),
  });
  const oneMiB = Object.fromEntries(Array.from({ length: 9_900 }, (_, index) => [`key${index}`, 'x'.repeat(80)]));
  const message = { messageName: 'm', correlationKeys: 'k', ttl: 'PT1M', variables: oneMiB };
  return [
    { what: 'the OpenAPI document', method: 'GET', path: '/openapi.json' },
    { what: 'the documentation page', method: 'GET', path: '/docs' },
    { what: 'readiness', method: 'GET', path: '/ready' },
    post('9,900 variables of 1 MB in a message', `${project}/bpmn/messages`, message),
    {
      ...post('the same with an idempotency key', `${project}/bpmn/messages`, message),
      headers: { 'Idempotency-Key': 'k' },
    },
    post('the same as a tool call', `${project}/mcp?write=all`, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'PublishBpmnMessage', arguments: { body: message } },
    }),
    post('a bundle of one file of 16 MiB', `${project}/bpmn/deployments`, bundle(1, 16 * MiB, bpmn)),
    post('a bundle of 8 BPMN files of 1.9 MB', `${project}/bpmn/deployments`, bundle(8, 1_900_000, bpmn)),
    post('a bundle of 5 DMN files of 3 MB', `${project}/bpmn/deployments`, bundle(5, 3_000_000, dmn)),
    post('a bundle of 15 forms of 1 MB', `${project}/bpmn/deployments`, bundle(15, 1_000_000, form)),
    post('a BPMN file of 1.9 MB', `${project}/bpmn/validate`, { xml: bpmn(1_900_000) }),
    post('a BPMN file to convert of 1.9 MB', `${project}/bpmn/convert`, { xml: bpmn(1_900_000) }),
    post('a DMN file of 3 MB', '/dmn/evaluate/design', { xml: dmn(3_000_000) }),
    post('a decision that loops', '/dmn/evaluate/design', {
      xml: loopingDecision,
      context: { values: Array(90_000).fill(1) },
    }),
    post('a predicate of 16 KB', `${project}/bpmn/instances/search`, {
      definitionID: '00000000-0000-4000-8000-000000000000',
      predicate: `${'(a = 1) and '.repeat(1_300)}a = 1`.slice(0, 16_000),
    }),
    post('expressions of a hook of 10 KB', `${project}/hooks`, {
      name: 'h',
      auth: { type: 'HEADER', header: 'x-token', secret: 'S' },
      messageName: nestedExpression,
      correlationKeys: nestedExpression,
      variables: nestedExpression,
      idempotencyKey: nestedExpression,
    }),
  ];
}

const nestedExpression = `${'[1+'.repeat(2_400)}1${']'.repeat(2_400)}`.slice(0, 10_000);

function bundle(count: number, bytes: number, content: (bytes: number, index: number) => string) {
  const end = content === bpmn ? 'bpmn' : content === dmn ? 'dmn' : 'form';
  return {
    dryRun: true,
    files: Array.from({ length: count }, (_, index) => ({ name: `f${index}.${end}`, content: content(bytes, index) })),
  };
}

function bpmn(bytes: number, index = 0): string {
  const task = (number: number) => `<bpmn:userTask id="t${number}" name="Task &quot;${number}&quot;"/>\n`;
  const tasks = Array.from({ length: Math.floor(bytes / 52) }, (_, number) => task(number)).join('');
  return `<?xml version="1.0"?>\n<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" id="d${index}" targetNamespace="t"><bpmn:process id="p${index}" isExecutable="true">${tasks}</bpmn:process></bpmn:definitions>`;
}

function dmn(bytes: number, index = 0): string {
  const input = (number: number) => `<inputData id="i${number}" name="Input ${number}"/>\n`;
  const inputs = Array.from({ length: Math.floor(bytes / 44) }, (_, number) => input(number)).join('');
  return `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d${index}" name="d" namespace="n${index}">${inputs}</definitions>`;
}

const loopingDecision =
  '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="n">' +
  '<inputData id="i" name="values"/><decision id="r" name="r"><informationRequirement><requiredInput href="#i"/></informationRequirement>' +
  '<literalExpression><text>count(for a in values return for b in values return a + b)</text></literalExpression></decision></definitions>';

function form(bytes: number, index: number): string {
  const component = (number: number) => ({
    type: 'textfield',
    id: `c${number}`,
    key: `k${number}`,
    label: `L${number}`,
  });
  const components = Array.from({ length: 4_900 }, (_, number) => component(number));
  const schema = { type: 'default', id: `form${index}`, schemaVersion: 16, components };
  return JSON.stringify({
    ...schema,
    description: 'x'.repeat(Math.max(0, bytes - JSON.stringify(schema).length - 50)),
  });
}

/** Start events of processes as tools of the Model Context Protocol. */
import type { DeployedTool } from '../../store/processes/process-tools.js';
import type { Operation, OperationCall, Pipeline } from '../commands/operation.js';
import type { Json } from '../contract/json-schema.js';
import { isProblem, problem, type Problem } from '../contract/problem.js';
import { describeHeader } from '../contract/openapi.js';
import { headerProblem, isHeaderValue, jsonResult, problemResult, type ToolResult } from './call-tool.js';
import { findPermitted, toolOf, type Permission, type Tool } from './tools.js';

const START = 'StartBpmnInstance';
const PUBLISH = 'PublishBpmnMessage';
const RESULT = 'GetBpmnInstanceResult';

/** Arguments that are not variables. A parameter of the same name wins. */
const HEADERS = ['Idempotency-Key', 'Prefer'] as const;

/** Those that the request may call: each name once, and none that an operation has. */
export function permittedTools(
  tools: readonly DeployedTool[],
  operations: readonly Operation[],
  permission: Permission,
): ReadonlyMap<string, DeployedTool> {
  const names = new Set(operations.map(({ operationID }) => operationID));
  const permitted = new Map<string, DeployedTool>();
  for (const tool of tools)
    if (findPermitted(operations, operationOf(tool), permission) && !names.has(tool.name) && !permitted.has(tool.name))
      permitted.set(tool.name, tool);
  return permitted;
}

/** Whether the request may start processes in any way. The tools of the others need not be read. */
export function mayStart(operations: readonly Operation[], permission: Permission): boolean {
  return [START, PUBLISH].some((name) => findPermitted(operations, name, permission) !== undefined);
}

function operationOf({ messageName }: DeployedTool): string {
  return messageName === undefined ? START : PUBLISH;
}

export function describeTool(tool: DeployedTool, operations: readonly Operation[]): Tool {
  const title = tool.processName ?? tool.processID;
  const { annotations } = toolOf(operationNamed(operations, START));
  const description = [
    tool.description || `Starts the process ${title}.`,
    'The answer has the id of the started instance as `workflowID`, and with `Prefer: wait=N` its `result`.',
  ].join('\n\n');
  return {
    name: tool.name,
    title,
    description,
    inputSchema: inputSchema(tool),
    annotations: { ...annotations, title },
  };
}

/** Without parameters, every argument is a variable. */
function inputSchema({ parameters = [] }: DeployedTool): Json {
  const headers = HEADERS.map((name) => {
    const { description, schema } = describeHeader(name);
    return [name, { ...schema, description }] as const;
  });
  const described = parameters.map(
    ({ name, description, type, schema }) =>
      [
        name,
        {
          ...(isObject(schema) && schema),
          ...(type !== undefined && { type }),
          ...(description !== undefined && { description }),
        },
      ] as const,
  );
  const required = parameters.filter(({ options }) => !(isObject(options) && options['required'] === false));
  return {
    type: 'object',
    properties: Object.fromEntries([...headers, ...described]),
    required: required.map(({ name }) => name),
    additionalProperties: parameters.length === 0,
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Each request in it is an ordinary one of the caller. */
export async function callProcess(
  pipeline: Pipeline,
  projectID: string,
  tool: DeployedTool,
  given: Json,
): Promise<ToolResult> {
  const headers: Record<string, string> = {};
  const variables: Json = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isHeader(name, tool)) variables[name] = value;
    else if (isHeaderValue(value)) headers[name] = value;
    else return problemResult(headerProblem(name), pipeline);
  }
  const start = { pipeline, projectID, tool, variables, headers };
  const started = await (tool.messageName === undefined ? startByCall(start) : startByMessage(start));
  return isProblem(started) ? problemResult(started, pipeline) : jsonResult(started);
}

function isHeader(name: string, { parameters = [] }: DeployedTool): boolean {
  return HEADERS.some((header) => header === name) && !parameters.some((parameter) => parameter.name === name);
}

interface Start {
  readonly pipeline: Pipeline;
  readonly projectID: string;
  readonly tool: DeployedTool;
  readonly variables: Json;
  readonly headers: Readonly<Record<string, string>>;
}

interface Started {
  readonly workflowID: string;
  readonly result?: unknown;
}

function startByCall(start: Start): Promise<Started | Problem> {
  const { definitionID: processDefinitionID } = start.tool;
  const { variables, headers } = start;
  return send<Started>(start, START, { headers, body: { processDefinitionID, variables } });
}

/** The message may start more than one process, or none: an older one, or a process that is suspended. */
async function startByMessage(start: Start): Promise<Started | Problem> {
  const { tool, variables, headers } = start;
  const { Prefer, ...others } = headers;
  const body = { messageName: tool.messageName, variables };
  const published = await send<{ started?: { workflowID: string; definitionID: string }[] }>(start, PUBLISH, {
    headers: others,
    body,
  });
  if (isProblem(published)) return published;
  const found = published.started?.find(({ definitionID }) => definitionID === tool.definitionID);
  if (found === undefined)
    return problem(
      'CONFLICT',
      `The message ${JSON.stringify(tool.messageName)} is kept, but has not started the process yet`,
    );
  const { workflowID } = found;
  if (Prefer === undefined) return { workflowID };
  const result = await send<object>(start, RESULT, {
    rawParameters: [encodeURIComponent(workflowID)],
    headers: { Prefer },
  });
  return isProblem(result) ? result : { workflowID, result };
}

async function send<Body>(
  { pipeline, projectID }: Start,
  name: string,
  { rawParameters = [], headers, body }: Partial<OperationCall> & Pick<OperationCall, 'headers'>,
): Promise<Body | Problem> {
  const answer = await pipeline.call(operationNamed(pipeline.operations, name), {
    rawParameters: [encodeURIComponent(projectID), ...rawParameters],
    search: '',
    headers,
    body,
  });
  return isProblem(answer) ? answer : (answer.body as Body);
}

function operationNamed(operations: readonly Operation[], name: string): Operation {
  return operations.find(({ operationID }) => operationID === name)!;
}

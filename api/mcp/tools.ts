/** The declared operations as tools of the Model Context Protocol. */
import type { z } from 'zod';
import type { Caller } from '../access/caller.js';
import { toJsonSchema, type Json } from '../contract/json-schema.js';
import { describeHeader } from '../contract/openapi.js';
import type { Operation } from '../commands/operation.js';
import { includesRole, isProjectRole } from '../contract/roles.js';
import { headersOfTool } from './headers.js';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Json;
  readonly annotations: { readonly title: string; readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
}

/** Which tools a request may use. */
export interface Permission {
  readonly caller: Caller;
  readonly projectID: string;
  /** Which tools the request allows besides those that read. */
  readonly write: WriteLevel | undefined;
}

/** `safe`: all but what cannot be undone, settings and rights, and operations on many instances at once. */
export const writeLevels = ['safe', 'all'] as const;
export type WriteLevel = (typeof writeLevels)[number];

/** The protocol of job workers, whose leases an agent cannot keep alive, this endpoint, and the end of the project. */
const EXCLUDED = new Set([
  'PollBpmnExternalJobs',
  'HeartbeatBpmnExternalJob',
  'CompleteBpmnExternalJobsBatch',
  'ThrowBpmnExternalJobErrorsBatch',
  'CallMcp',
  // Says that it is a cluster of Camunda.
  'GetCamundaTopology',
  // Megabytes for a program.
  'GetBpmnInstanceEngineState',
  // Cannot be undone, and takes everything with it that the agent has changed.
  'DeleteProject',
]);

/** Rights and secrets are not given to agents. */
const EXCLUDED_NOUNS = new Set(['members', 'secrets']);

/** Operations that change nothing, although their method is not GET. */
const READING = new Set([
  'ConvertBpmnModel',
  'EvaluateBpmnExpression',
  'SearchBpmnInstances',
  'ValidateBpmnInstanceMigration',
  'ValidateBpmnInstancesMigration',
  'ValidateBpmnXml',
]);

/** By name, so that a new operation of these kinds is not safe either. */
const NOT_SAFE = /Erase|Redact|^Delete|Settings|Member|Secret|^Migrate|Batch/;

/** The only tools that change something and end, replace, or decide nothing, each with the reason. */
const HARMLESS: Readonly<Record<string, string>> = {
  AddBpmnUserTaskComment: 'Adds a text.',
  ClaimBpmnUserTask: 'The task can be given back.',
  UnclaimBpmnUserTask: 'The task can be claimed again.',
  CreateBpmnResource: 'Stores a draft, which runs only after it is deployed.',
  StartBpmnInstance: 'Adds an instance, as its model says. It can be canceled.',
  StartBpmnTestInstance: 'Adds a test, which no job worker and no other instance sees.',
  RestartBpmnInstance: 'Adds an instance. The first one stays as it ended.',
};

/** The operations that the request may use, in the order of their names. */
export function permittedOperations(operations: readonly Operation[], permission: Permission): Operation[] {
  return operations
    .filter((operation) => isPermitted(operation, permission))
    .sort((a, b) => (a.operationID < b.operationID ? -1 : 1));
}

/** Undefined for a tool that does not exist, and for one that the request may not use. */
export function findPermitted(
  operations: readonly Operation[],
  name: string,
  permission: Permission,
): Operation | undefined {
  return operations.find((operation) => operation.operationID === name && isPermitted(operation, permission));
}

function isPermitted(operation: Operation, { caller, projectID, write }: Permission): boolean {
  const held = caller.projectRole(projectID);
  if (!isProjectRole(operation.role) || held === undefined || !includesRole(held, operation.role)) return false;
  return isTool(operation) && (isReading(operation) || isWritable(operation, write));
}

function isWritable({ operationID }: Operation, write: WriteLevel | undefined): boolean {
  return write === 'all' || (write === 'safe' && !NOT_SAFE.test(operationID));
}

function isTool({ operationID, path, responses, isForm }: Operation): boolean {
  const nouns = path.split('/').slice(3);
  const isStream = Object.values(responses).some(({ mediaType }) => mediaType === 'text/event-stream');
  return !EXCLUDED.has(operationID) && !nouns.some((noun) => EXCLUDED_NOUNS.has(noun)) && !isStream && !isForm;
}

function isReading({ operationID, method }: Operation): boolean {
  return method === 'GET' || READING.has(operationID);
}

/** Clients ask a person before they call such a tool. */
function isDestructive(operation: Operation): boolean {
  return !isReading(operation) && !Object.hasOwn(HARMLESS, operation.operationID);
}

/** Schemas take milliseconds to convert, and never change. */
const described = new WeakMap<Operation, Tool>();

export function toolOf(operation: Operation): Tool {
  const known = described.get(operation);
  if (known !== undefined) return known;
  const tool = describe(operation);
  described.set(operation, tool);
  return tool;
}

function describe(operation: Operation): Tool {
  const { operationID: name, summary: title, description } = operation;
  const text = description === undefined ? `${title}.` : `${title}. ${description}`;
  const annotations = { title, readOnlyHint: isReading(operation), destructiveHint: isDestructive(operation) };
  return { name, title, description: text, inputSchema: inputSchema(operation), annotations };
}

/** The path parameters except the project's, the parameters of the query, headers, and `body`. */
function inputSchema(operation: Operation): Json {
  const { parameterNames, request } = operation;
  const named = new Map<string, Json>();
  const properties: Json = {};
  const required: string[] = [];
  const add = (name: string, schema: z.ZodType, io: 'input' | 'output') => {
    properties[name] = toJsonSchema(schema, io, named);
    if (!schema.safeParse(undefined).success) required.push(name);
  };
  for (const name of parameterNames.filter((other) => other !== 'projectID'))
    add(name, request.params[name]!, 'output');
  for (const [name, schema] of Object.entries(request.query?.shape ?? {})) add(name, schema as z.ZodType, 'output');
  for (const name of headersOfTool(operation)) {
    const { description, schema } = describeHeader(name);
    properties[name] = { ...schema, description };
  }
  if (request.body !== undefined) add('body', request.body, 'input');
  const $defs = Object.fromEntries(named);
  const schema = {
    type: 'object',
    properties,
    required,
    additionalProperties: false,
    ...(named.size > 0 && { $defs }),
  };
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/')) as Json;
}

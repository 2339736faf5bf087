/** Answers one message of the Model Context Protocol. */
import type { DeployedTool } from '../../store/processes/process-tools.js';
import type { Json } from '../contract/json-schema.js';
import type { Pipeline } from '../commands/operation.js';
import { callTool } from './call-tool.js';
import {
  findHeaderError,
  HANDSHAKE_VERSIONS,
  INVALID_PARAMS,
  isStateless,
  METHOD_NOT_FOUND,
  STATELESS_VERSION,
  type Message,
  type MessageHeaders,
  type RpcError,
} from './protocol.js';
import { callProcess, describeTool, mayStart, permittedTools } from './process-tools.js';
import { findPermitted, permittedOperations, toolOf, type Permission, type Tool } from './tools.js';

export interface Asked {
  readonly message: Message;
  readonly headers: MessageHeaders;
  readonly permission: Permission;
  readonly pipeline: Pipeline;
  /** The start events of the project that are tools. */
  processTools(): Promise<readonly DeployedTool[]>;
  /** The version of the host. */
  readonly version: string;
}

export type Answered =
  | { readonly kind: 'notification' }
  | { readonly kind: 'result'; readonly result: Json }
  | { readonly kind: 'error'; readonly status: 200 | 400 | 404; readonly error: RpcError };

type Outcome = { readonly result: Json } | { readonly error: RpcError };

const INSTRUCTIONS =
  'The tools are the operations of one project of Perdure, a durable BPMN host. Their answers are those of its REST API; ' +
  'a failed call returns a problem document whose `code` and `detail` say what to do.';

export async function answerMessage(asked: Asked): Promise<Answered> {
  const { message, headers } = asked;
  const error = findHeaderError(message, headers);
  if (error !== undefined) return { kind: 'error', status: 400, error };
  if (message.id === undefined) return { kind: 'notification' };
  const answer = isStateless(message, headers) ? await answerStateless(asked) : await answerHandshake(asked);
  if ('result' in answer) return { kind: 'result', result: answer.result };
  return { kind: 'error', status: statusOf(asked, answer.error), error: answer.error };
}

/** Without a handshake, the status distinguishes an unknown method from an unknown endpoint. */
function statusOf({ message, headers }: Asked, { code }: RpcError): 200 | 404 {
  return code === METHOD_NOT_FOUND && isStateless(message, headers) ? 404 : 200;
}

async function answerHandshake(asked: Asked): Promise<Outcome> {
  const { message, version } = asked;
  if (message.method === 'initialize') {
    const wanted = String(message.params?.['protocolVersion']);
    const protocolVersion = HANDSHAKE_VERSIONS.includes(wanted) ? wanted : HANDSHAKE_VERSIONS[0];
    return { result: { protocolVersion, ...selfDescription(version) } };
  }
  if (message.method === 'ping') return { result: {} };
  return answerTools(asked);
}

async function answerStateless(asked: Asked): Promise<Outcome> {
  const { message, version } = asked;
  if (message.method === 'server/discover')
    return complete({ supportedVersions: [STATELESS_VERSION], ...selfDescription(version) });
  const answer = await answerTools(asked);
  if ('error' in answer) return answer;
  // Not cached: the list differs by role, so no other client may use it; and a role can change at any time.
  const caching = message.method === 'tools/list' && { ttlMs: 0, cacheScope: 'private' };
  return complete({ ...answer.result, ...caching });
}

function complete(result: Json): Outcome {
  return { result: { resultType: 'complete', ...result } };
}

function selfDescription(version: string): Json {
  return {
    capabilities: { tools: {} },
    serverInfo: { name: 'perdure', title: 'Perdure', version },
    instructions: INSTRUCTIONS,
  };
}

async function answerTools(asked: Asked): Promise<Outcome> {
  const { method, params = {} } = asked.message;
  if (method === 'tools/list') return { result: { tools: await listTools(asked) } };
  if (method !== 'tools/call') return { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } };
  const { name, arguments: given = {} } = params;
  if (typeof name !== 'string') return invalid('The name of a tool must be a string');
  if (!isObject(given)) return invalid('The arguments of a tool must be an object');
  const { permission, pipeline } = asked;
  const { projectID } = permission;
  const operation = findPermitted(pipeline.operations, name, permission);
  if (operation !== undefined) return { result: { ...(await callTool(pipeline, operation, projectID, given)) } };
  const process = (await processTools(asked)).get(name);
  // One constant, so that the answer does not tell a tool that is not permitted from one that does not exist.
  if (process === undefined) return invalid('Unknown tool');
  return { result: { ...(await callProcess(pipeline, projectID, process, given)) } };
}

/** Operations first. */
async function listTools(asked: Asked): Promise<Tool[]> {
  const { operations } = asked.pipeline;
  const processes = [...(await processTools(asked)).values()];
  return [
    ...permittedOperations(operations, asked.permission).map(toolOf),
    ...processes.map((tool) => describeTool(tool, operations)),
  ];
}

async function processTools(asked: Asked): Promise<ReadonlyMap<string, DeployedTool>> {
  const { permission, pipeline } = asked;
  if (!mayStart(pipeline.operations, permission)) return new Map();
  return permittedTools(await asked.processTools(), pipeline.operations, permission);
}

function invalid(message: string): Outcome {
  return { error: { code: INVALID_PARAMS, message } };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Calls an operation with the arguments of a tool, and describes its answer as the result of the tool. */
import type { Json } from '../contract/json-schema.js';
import type { Operation, OperationCall, OperationResult, Pipeline } from '../commands/operation.js';
import { isProblem, problem, problemDocument, type Problem } from '../contract/problem.js';
import { headersOfTool } from './headers.js';

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: true;
}

export async function callTool(
  pipeline: Pipeline,
  operation: Operation,
  projectID: string,
  given: Json,
): Promise<ToolResult> {
  const call =
    'projectID' in given
      ? badArgument('projectID', 'is in the address of the endpoint')
      : operationCall(operation, { ...given, projectID });
  const answer = isProblem(call) ? call : await pipeline.call(operation, call);
  return isProblem(answer) ? problemResult(answer, pipeline) : success(operation, answer);
}

/** A member of no other part of the request belongs to the query, which refuses those that it does not know. */
function operationCall(operation: Operation, given: Json): OperationCall | Problem {
  const { parameterNames, request } = operation;
  const { body, ...others } = request.body === undefined ? { ...given, body: undefined } : given;
  if (request.body === undefined && given['body'] !== undefined) return badArgument('body', 'is not an argument');
  const rawParameters: string[] = [];
  for (const name of parameterNames) {
    const text = textOf(others[name]);
    if (text === undefined) return badArgument(name, 'must be a string');
    rawParameters.push(encodeURIComponent(text));
  }
  const headers: Record<string, string> = {};
  for (const name of headersOfTool(operation).filter((header) => others[header] !== undefined)) {
    const value = others[name];
    if (!isHeaderValue(value)) return headerProblem(name);
    headers[name] = value;
  }
  const query = new URLSearchParams();
  const elsewhere = new Set<string>([...parameterNames, ...headersOfTool(operation)]);
  for (const [name, value] of Object.entries(others).filter(([other]) => !elsewhere.has(other))) {
    const text = textOf(value);
    if (text === undefined) return badArgument(name, 'must be a string, a number, or a boolean');
    query.set(name, text);
  }
  return { rawParameters, search: query.toString(), headers, body };
}

function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

/** A request cannot be built with other characters. */
export function isHeaderValue(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value);
}

export function headerProblem(name: string): Problem {
  return badArgument(name, 'must be a string of 1 to 255 printable ASCII characters');
}

function badArgument(name: string, rule: string): Problem {
  return problem('BAD_REQUEST', `The argument ${JSON.stringify(name.slice(0, 100))} ${rule}`);
}

export function problemResult(found: Problem, { requestID }: Pick<Pipeline, 'requestID'>): ToolResult {
  const document = problemDocument(found, requestID);
  return { ...content(JSON.stringify(document)), structuredContent: document, isError: true };
}

function success({ responses }: Operation, { status, body }: OperationResult): ToolResult {
  if (body === undefined) return content(responses[status]!.description);
  if (responses[status]?.mediaType !== undefined) return content(String(body));
  return jsonResult(body);
}

export function jsonResult(body: unknown): ToolResult {
  return { ...content(JSON.stringify(body)), structuredContent: body };
}

function content(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

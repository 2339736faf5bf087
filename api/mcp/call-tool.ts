/** Calls an operation with the arguments of a tool, and describes its answer as the result of the tool. */
import type { Json } from '../contract/json-schema.js';
import type { Operation, OperationCall, OperationResult, Pipeline } from '../contract/operation.js';
import { isProblem, problem, problemDocument, type Problem } from '../contract/problem.js';

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
  return isProblem(answer) ? failure(problemDocument(answer, pipeline.requestID)) : success(operation, answer);
}

/** A member that is neither in the path nor the body belongs to the query, which refuses those that it does not know. */
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
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(others).filter(([other]) => !parameterNames.includes(other))) {
    const text = textOf(value);
    if (text === undefined) return badArgument(name, 'must be a string, a number, or a boolean');
    query.set(name, text);
  }
  return { rawParameters, search: query.toString(), body };
}

function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

function badArgument(name: string, rule: string): Problem {
  return problem('BAD_REQUEST', `The argument ${JSON.stringify(name.slice(0, 100))} ${rule}`);
}

function failure(document: Json): ToolResult {
  return { ...content(JSON.stringify(document)), structuredContent: document, isError: true };
}

function success({ responses }: Operation, { status, body }: OperationResult): ToolResult {
  if (body === undefined) return content(responses[status]!.description);
  if (responses[status]?.mediaType !== undefined) return content(String(body));
  const text = JSON.stringify(body);
  return { ...content(text), structuredContent: JSON.parse(text) as unknown };
}

function content(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

/** The status, headers, and bytes of a response. */
import type { Operation, OperationResult } from '../../commands/operation.js';
import { isProblem, problemCodes, problemDocument, type Problem } from '../../contract/problem.js';
import type { Exchange } from '../exchange.js';
import { answerWithDocument, type StaticDocument } from './static-document.js';

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

type Headers = Readonly<Record<string, string>>;

/** How a protocol describes a problem. */
export interface ProblemFormat {
  readonly mediaType: string;
  describe(found: Problem, requestID: string): Readonly<Record<string, unknown>>;
}

export const problemDocuments: ProblemFormat = { mediaType: 'application/problem+json', describe: problemDocument };

/** @param common headers of every response */
export function plainResponse(
  found: OperationResult | Problem,
  exchange: Exchange,
  common: Headers,
  problems: ProblemFormat = problemDocuments,
): PlainResponse {
  if (isProblem(found)) return ofProblem(found, exchange, common, problems);
  if (found.document !== undefined) return ofDocument(found, found.document, exchange, common);
  const { status } = found;
  const body = bodyText(found, exchange.operation);
  const ofBody = body !== undefined && describe(body, mediaTypeOf(exchange.operation, status));
  return { status, headers: { ...common, 'X-Request-Id': exchange.requestID, ...ofBody, ...found.headers }, body };
}

function ofProblem(
  found: Problem,
  { requestID }: Exchange,
  common: Headers,
  { mediaType, describe: describeProblem }: ProblemFormat,
): PlainResponse {
  const body = JSON.stringify(describeProblem(found, requestID));
  const ofBody = describe(body, mediaType);
  const headers = { ...common, 'X-Request-Id': requestID, ...ofBody, ...found.headers };
  return { status: problemCodes[found.code].status, headers, body };
}

function ofDocument(
  found: OperationResult,
  document: StaticDocument,
  { operation, request, requestID }: Exchange,
  common: Headers,
): PlainResponse {
  const { status, headers, bytes } = answerWithDocument(document, request.headers);
  const ofBytes = bytes && describe(bytes, mediaTypeOf(operation, found.status));
  const all = { ...common, 'X-Request-Id': requestID, ...ofBytes, ...found.headers, ...headers };
  return { status, headers: all, body: bytes };
}

function describe(body: string | Uint8Array, mediaType: string): Headers {
  return { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body)) };
}

function bodyText(
  { body, status }: OperationResult,
  operation: Operation | undefined,
): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined;
  if (operation?.responses[status]?.mediaType !== undefined) return body as string | Uint8Array<ArrayBuffer>;
  return JSON.stringify(body);
}

function mediaTypeOf(operation: Operation | undefined, status: number): string {
  return operation?.responses[status]?.mediaType ?? 'application/json';
}

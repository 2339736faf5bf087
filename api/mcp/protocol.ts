/** Messages and versions of the Model Context Protocol. */
import { z } from 'zod';
import type { Json } from '../contract/json-schema.js';

/** Versions that begin with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18'];

/** From this version, every request names its version, and there is no handshake. */
export const STATELESS_VERSION = '2026-07-28';

/** A request without this header is of a version before the header: it does no harm to answer it. */
const SUPPORTED_VERSIONS = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS];

/** One request or notification. Responses have no meaning here, because the server asks nothing. */
export const message = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string().max(255), z.int()]).optional(),
    method: z.string().max(255),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage' });
export type Message = z.output<typeof message>;

export const answer = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.int()]).optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z
      .strictObject({ code: z.int(), message: z.string(), data: z.record(z.string(), z.unknown()).optional() })
      .optional(),
  })
  .meta({ id: 'McpAnswer' });

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** A page could reach a host in the network of its visitor by a name that it owns, so the name of the host says nothing. */
export const FOREIGN_ORIGIN: RpcError = { code: -32000, message: 'The origin is not one of CORS_ORIGINS' };
const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;

/** The headers of a message, null if not sent. */
export interface MessageHeaders {
  readonly version: string | null;
  readonly method: string | null;
  readonly name: string | null;
}

export function isStateless({ params }: Message, { version }: MessageHeaders): boolean {
  return version === STATELESS_VERSION || versionIn(params) !== undefined;
}

/** The fault in the version or the headers of the message, for a response with status 400; undefined without one. */
export function findHeaderError(given: Message, headers: MessageHeaders): RpcError | undefined {
  const requested = headers.version ?? versionIn(given.params);
  if (requested !== undefined && !SUPPORTED_VERSIONS.includes(requested)) return unsupportedVersion(requested);
  if (!isStateless(given, headers)) return undefined;
  if (headers.version !== versionIn(given.params)) return mismatch('MCP-Protocol-Version', 'the version in _meta');
  if (headers.method !== given.method) return mismatch('Mcp-Method', 'the method');
  const isCall = given.method === 'tools/call';
  return isCall && decoded(headers.name) !== given.params?.['name'] ? mismatch('Mcp-Name', 'the name') : undefined;
}

function versionIn(params: Message['params']): string | undefined {
  const version = (params?.['_meta'] as Json | undefined)?.['io.modelcontextprotocol/protocolVersion'];
  return version === undefined ? undefined : String(version).slice(0, 100);
}

/** Names that are not plain ASCII are sent in Base64. */
function decoded(name: string | null): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(name ?? '')?.[1];
  return encoded === undefined ? (name ?? undefined) : Buffer.from(encoded, 'base64').toString();
}

function unsupportedVersion(requested: string): RpcError {
  const message = `Unsupported protocol version. This host supports ${SUPPORTED_VERSIONS.join(', ')}.`;
  return { code: UNSUPPORTED_VERSION, message, data: { supported: SUPPORTED_VERSIONS, requested } };
}

function mismatch(header: string, member: string): RpcError {
  return { code: HEADER_MISMATCH, message: `Header mismatch: ${header} must be ${member} of the message` };
}

/** The official client of the Model Context Protocol, connected to the API under test without a port. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { TestApi } from '../../support/api.js';

export interface McpOptions {
  readonly token: string;
  readonly write?: string;
}

/** Connected to the project p1; close it at the end. */
export async function connect({ app }: TestApi, { token, write }: McpOptions): Promise<Client> {
  const address = new URL(`http://127.0.0.1/projects/p1/mcp${write === undefined ? '' : `?write=${write}`}`);
  const transport = new StreamableHTTPClientTransport(address, {
    fetch: async (url, init) => app.request(String(url), init as RequestInit),
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  // Declares its session id as `string | undefined`, which exactOptionalPropertyTypes tells from an absent one.
  await client.connect(transport as Transport);
  return client;
}

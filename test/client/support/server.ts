/** A server on loopback with scripted responses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Server {
  url: string;
  close(): Promise<void>;
}

export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends JSON. */
export function answerWith(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json', ...headers })
    .end(JSON.stringify(body));
}

/** Begins JSON and sends a space now and then, forever: no part is late, but the whole never arrives. */
export function drip(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{');
  const dripping = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(dripping));
}

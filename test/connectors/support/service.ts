/** An HTTP service on loopback that keeps what it gets. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (received: Received, response: ServerResponse) => void;

export interface Service {
  readonly url: string;
  readonly received: Received[];
  /** By path, without the query; default: 200 with `{}`. */
  on(path: string, answer: Answer): void;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const received: Received[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const one = { method: request.method!, url: request.url!, headers: request.headers, body };
      received.push(one);
      (answers.get(one.url.split('?')[0]!) ?? answerWith(200, {}))(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    on: (path, answer) => void answers.set(path, answer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_received, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

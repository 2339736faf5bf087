import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** One GET on a connection that is open already, and how long it took until the whole answer was there. */
export function timed(url: string, token: string): Promise<{ status: number; milliseconds: number }> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - startedAt }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** A bank over HTTP that charges cards, for the example without a job worker for payments. */
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const CARD_LIMIT = 5000;

export interface Bank {
  server: Server;
  /** Amounts by the key of their request. A request that is sent again charges nothing. */
  charges: ReadonlyMap<string, number>;
}

export function createBank(): Bank {
  const charges = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || request.url !== '/charges' || typeof key !== 'string') {
      answer(400, { message: 'Send POST /charges with an Idempotency-Key' });
      return;
    }
    const { amount } = (await json(request).catch(() => ({}))) as { amount?: number };
    if (typeof amount !== 'number') answer(400, { message: 'amount: must be a number' });
    else if (amount > CARD_LIMIT) answer(402, { message: `The amount is above the limit of ${CARD_LIMIT}` });
    else {
      charges.set(key, amount);
      answer(201, { paymentID: `payment-${key}` });
    }
  });
  return { server, charges };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  createBank().server.listen(7070, '127.0.0.1', () => console.log('The bank listens on http://127.0.0.1:7070'));
}

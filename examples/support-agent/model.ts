/** A language model that follows a script, so that the example needs no key: it looks up orders and asks for refunds. */
import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

interface Message {
  role: string;
  content: string | null;
}

export function createModel(): Server {
  return createServer(async (request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') return answer(404, {});
    const { messages = [] } = (await json(request).catch(() => ({}))) as { messages?: Message[] };
    answer(200, {
      choices: [{ message: { role: 'assistant', ...next(messages) }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 200 + 50 * messages.length, completion_tokens: 30 },
    });
  });
}

/** What a real model would decide from the conversation. */ // prose-ok: what-clause
function next(messages: readonly Message[]) {
  const question = messages.find(({ role }) => role === 'user')?.content ?? '';
  const [orders, refund] = messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');
  if (orders === undefined) return calls('SearchOrders', { email: /^From (\S+):/.exec(question)?.[1] ?? '' });
  if (refund === undefined && /money|refund/i.test(question))
    return calls('PayRefund', { order: '4711', reason: 'The customer waits for an order that was lost.' });
  if (refund === undefined) return { content: 'Your order 4711 arrives tomorrow.' };
  return { content: refund === 'Paid.' ? 'You get your money back.' : 'A colleague will write to you.' };
}

function calls(name: string, given: object) {
  const call = { id: 'call', type: 'function', function: { name, arguments: JSON.stringify(given) } };
  return { content: null, tool_calls: [call] };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  createModel().listen(7071, '127.0.0.1', () => console.log('The model listens on http://127.0.0.1:7071'));
}

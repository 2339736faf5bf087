import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withTimeLimit } from '@perdure/lib/network/time-limit.js';
import { serve } from '../client/support/server.js';

it('a time limit ends a request also after a garbage collection', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const server = await serve(() => undefined);
  const outcome = fetch(server.url, { signal: withTimeLimit(new AbortController().signal, 500) }).catch(
    (error: unknown) => error,
  );
  for (let time = 0; time < 5; time += 1) {
    collectGarbage();
    // Node lets go of what was collected between two turns of its event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await outcome).toMatchObject({ name: 'TimeoutError' });
  await server.close();
});

/**
 * `npm run test:stack`: keeps the services of the tests running, so that single test files start at once. Ctrl-C ends
 * it.
 */
import { openStack } from './test/stack.js';

const stack = await openStack();
await Promise.all(
  ['postgres', 'temporal', 'issuer'].map(async (part) => {
    const response = await fetch(`${stack.url}/${part}`);
    if (!response.ok) process.stderr.write(`${await response.text()}\n`);
  }),
);
process.stdout.write(`Tests use this stack when their shell has run:\n\nexport PERDURE_TEST_STACK=${stack.url}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await stack.stop();
    process.exit(0);
  });
}

import type { TestProject } from 'vitest/node';
import { openStack } from '../../tools/test/stack.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined in the layer that has no servers. */
    stackUrl: string | undefined;
  }
}

/**
 * Gives every test file the same stack: one that is kept running by `npm run test:stack`, else one for this run. The
 * first layer of a run opens it for the others.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env['PERDURE_TEST_STACK'];
  if (running) {
    project.provide('stackUrl', running);
    return async () => undefined;
  }
  const stack = await openStack();
  process.env['PERDURE_TEST_STACK'] = stack.url;
  project.provide('stackUrl', stack.url);
  return async () => {
    delete process.env['PERDURE_TEST_STACK'];
    await stack.stop();
  };
}

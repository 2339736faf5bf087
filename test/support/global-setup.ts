import type { TestProject } from 'vitest/node';
import { openStack } from '../../tools/test/stack.js';

declare module 'vitest' {
  interface ProvidedContext {
    stackUrl: string;
  }
}

/** Gives every test file the same stack: one that is kept running by `npm run test:stack`, else one for this run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running = process.env['PERDURE_TEST_STACK'];
  if (running) {
    project.provide('stackUrl', running);
    return async () => undefined;
  }
  const stack = await openStack();
  project.provide('stackUrl', stack.url);
  return stack.stop;
}

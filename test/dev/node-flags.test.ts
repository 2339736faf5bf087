import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFlags } from '../../dev/processes/node-flags.js';
import { repositoryRoot } from '../../dev/repository.js';

test('the image runs the host with the same flags as everything else', () => {
  const [, command] = readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8').match(/^CMD (.*)$/m)!;
  expect(JSON.parse(command!)).toEqual(['node', ...nodeFlags, 'dist/host/main.js']);
});

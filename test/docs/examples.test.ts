/** An example that a document introduces by the name of a file is that file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';

const howTo = 'docs/how-to/add-a-rest-operation.md';

const textOf = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8');
const examples = [...textOf(howTo).matchAll(/`([\w./-]+\.ts)`:\n\n```ts\n(.*?)^```$/gms)].map(([, file, example]) => ({
  file: file!,
  example: example!,
}));

it('the reader finds the examples of an operation and of a command', () => {
  expect(examples.map(({ file }) => file)).toEqual([
    'api/operations/resources/delete.ts',
    'api/operations/instances/set-variables.ts',
  ]);
});

it.each(examples)(`$file is in ${howTo} as it is`, ({ file, example }) => {
  expect(example, `Copy ${file} into ${howTo}`).toBe(textOf(file));
});

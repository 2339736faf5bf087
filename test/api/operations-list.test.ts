/** Operations and their files: one declaration in each file of an operation folder, and each in the list. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../api/operations/index.js';
import { repositoryRoot } from '../../dev/repository.js';

const folder = join(repositoryRoot, 'api', 'operations');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const listed = operations.map(({ operationID }) => operationID);

test('every declared operation is in the list, once', () => {
  const declared = files.flatMap(declaredIn);
  const unlisted = declared.filter((operationID) => !listed.includes(operationID));
  expect(unlisted, 'Add these operations to api/operations/index.ts').toEqual([]);
  expect([...listed].sort()).toEqual(declared.sort());
});

test('every file of an operation folder declares one operation; what they share is in its folder "shared"', () => {
  const others = files
    .filter((name) => name.includes(sep) && !name.endsWith(`${sep}index.ts`))
    .filter((name) => declaredIn(name).length !== (name.includes(`${sep}shared${sep}`) ? 0 : 1));
  expect(others).toEqual([]);
});

function declaredIn(name: string): string[] {
  const text = readFileSync(join(folder, name), 'utf8');
  return [...text.matchAll(/\bdefine(?:Operation|Command|List|Pages|Control)\(\{\s*operationID: '(\w+)'/g)].map(
    ([, id]) => id!,
  );
}

/** The documents name every variable of the host, and no variable that does not exist. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readStartSettings } from '../../dev/start/settings.js';
import { repositoryRoot } from '../../dev/repository.js';
import { accessFile } from '../../api/access/settings/issuer-settings.js';
import { sections } from '../../host/configuration/sections.js';
import { describeSections } from '@perdure/configuration/table.js';
import {
  assignedIn,
  constantsIn,
  namedLike,
  namesInTables,
  quotedInSources,
  variablesOfOtherPrograms,
} from './support/variable-names.js';

const page = join(repositoryRoot, 'docs/configuration.md');
const accept = 'ACCEPT_GOLDEN=1 npx vitest run test/docs/configuration.test.ts';
const generated = /(<!-- generated: .*? -->\n)[^]*(<!-- end of generated tables -->)/;

const declared = sections.flatMap(({ variables }) => Object.keys(variables));
const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

it('the tables of the host are those of its declarations', () => {
  const before = readFileSync(page, 'utf8');
  const after = before.replace(generated, (_, begin: string, end: string) => begin + describeSections(sections) + end);
  if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(page, after);
  expect(after, `docs/configuration.md has other tables; to write them again: ${accept}`).toBe(
    readFileSync(page, 'utf8'),
  );
});

it('the table of npm start lists what it reads', () => {
  const environment = new Proxy<Record<string, string>>({}, { get: (_, name: string) => void asked.add(name) });
  const asked = new Set<string>();
  readStartSettings(environment);
  const own = [...asked].filter((name) => !declared.includes(name));
  const [, table = ''] = read('docs/configuration.md').split('## npm start');
  expect(namesInTables(table.split('\n## ')[0]!).toSorted()).toEqual([...own, 'TEMPORAL_CLI'].toSorted());
});

it('the example of a file with several issuers is valid', () => {
  const [, example = ''] = /```json\n([^]*?)```/.exec(read('docs/configuration.md')) ?? [];
  expect(accessFile.safeParse(JSON.parse(example)).error).toBeUndefined();
});

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'docker-compose.yml',
  'Dockerfile',
  ...['docs', 'deploy', 'examples', 'packages', 'console'].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(md|ya?ml|env)$/.test(name) && !name.includes('node_modules') && !name.startsWith('adr/'))
      .map((name) => join(folder, name)),
  ),
];
const known = new Set([
  ...declared,
  ...namesInTables(read('docs/configuration.md')),
  ...quotedInSources(['bench', 'dev', 'test', 'tools']),
  ...constantsIn(['api', 'store']),
  ...variablesOfOtherPrograms,
]);

it.each(documents)('%s names variables that exist', (document) => {
  const text = read(document);
  const named = [...assignedIn(text, document), ...namedLike(declared, text)];
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
});

it('a variable that does not exist is found where it is set, and where its name begins like a real one', () => {
  expect(assignedIn('  NO_SUCH_NAME: "1"\n', 'x.yml')).toEqual(['NO_SUCH_NAME']);
  expect(assignedIn('run `NO_SUCH_NAME=1 npm start`', 'x.md')).toEqual(['NO_SUCH_NAME']);
  expect(namedLike(['OIDC_ISSUER'], 'set `OIDC_ISSUERS`, not CARD_DECLINED')).toEqual(['OIDC_ISSUERS']);
});

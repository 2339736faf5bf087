import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../dev/repository.js';
import { greeting } from '../../dev/start/greeting.js';

describe('the greeting of npm start', () => {
  const api = 'http://127.0.0.1:8080';
  const commands = (text: string) => text.split('\n').filter((line) => /npx perdure|node --env-file/.test(line));

  it('shows commands of the tour in README.md', () => {
    // The README breaks long commands after a backslash.
    const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8').replaceAll(/ \\\n\s*/g, ' ');
    const shown = commands(greeting({ api, tokenEndpoint: `${api}/token` }, true));
    expect(shown).toHaveLength(4);
    for (const command of shown) expect(readme).toContain(command);
  });

  it('shows no files of a checkout in a project', () => {
    const shown = greeting({ api, tokenEndpoint: `${api}/token` }, false);
    expect(commands(shown)).toEqual(['npx perdure deploy FILE|DIR...']);
    expect(shown).not.toContain('README.md');
  });

  it('shows no commands without a host to send them to', () => {
    expect(commands(greeting({ temporal: '127.0.0.1:7233' }))).toEqual([]);
  });
});

/**
 * The same requests to Operaton and to a host. `npm test` compares a host with the recorded answers of Operaton;
 * `npm run camunda7-clients-proof` compares these with a real one.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../../../../dev/repository.js';
import { startOperaton, type Operaton } from '../../../support/hosts/operaton.js';
import { deploy, start } from '../support/steps.js';
import { differences } from './support/differences.js';
import { startEngine, type Engine } from './support/engine.js';
import {
  keyOf,
  modelHereOf,
  modelOf,
  played,
  type Answer,
  type Side,
  type TypedVariables,
} from './support/exchange.js';
import { exchanges } from './support/exchanges.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 600_000 });

const golden = join(import.meta.dirname, 'operaton.golden.json');
const accept =
  "ACCEPT_GOLDEN=1 CAMUNDA7_CLIENTS=real npx vitest run test/api/operations/camunda7/oracle.test.ts -t '^Operaton'";
const isReal = process.env['CAMUNDA7_CLIENTS'] === 'real';

const recorded = JSON.parse(readFileSync(golden, 'utf8')) as Record<string, Answer>;
const ofExchange = (answers: Record<string, Answer>, name: string) =>
  Object.fromEntries(Object.entries(answers).filter(([step]) => step.startsWith(`${name}: `)));

describe('a host', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.close());

  const here = (): Side => ({
    send: (path, body) => engine.send(path, body),
    async start(key, businessId, variables) {
      const definitionID = await deploy(engine.host, modelHereOf(key));
      await start(engine.host, definitionID, { businessId, variables: valuesOf(variables) });
    },
  });

  const different = Object.assign({}, ...differences.map((each) => each.here)) as Record<string, Answer>;

  it.each(exchanges)('answers as Operaton does, but for the differences of the guide: $name', async (exchange) => {
    const expected = ofExchange({ ...recorded, ...different }, exchange.name);
    expect(await played(exchange, here())).toEqual(expected);
  });

  it('has no difference that is none, and the guide has all', () => {
    for (const [step, answer] of Object.entries(different)) expect(answer, step).not.toEqual(recorded[step]);
    const guide = readFileSync(join(repositoryRoot, 'docs/how-to/bring-camunda-7-workers.md'), 'utf8');
    for (const { row } of differences) expect(guide).toContain(row);
  });
});

describe.skipIf(!isReal)('Operaton', () => {
  let folder: string;
  let operaton: Operaton;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perdure-operaton-'));
    operaton = await startOperaton(folder);
  });
  afterAll(async () => {
    await operaton?.stop();
    rmSync(folder, { recursive: true });
  });

  const there = (): Side => ({
    async send(path, body) {
      const response = await fetch(`${operaton.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async start(key, businessKey, variables) {
      await operaton.deploy(modelOf(key));
      await operaton.call('POST', `/process-definition/key/${key}/start`, { businessKey, variables });
    },
  });

  it('answers as it is recorded', async () => {
    const answers: Record<string, Answer> = {};
    for (const exchange of exchanges) Object.assign(answers, await played(exchange, there()));
    if (process.env['ACCEPT_GOLDEN'] === '1') writeFileSync(golden, `${JSON.stringify(answers, null, 2)}\n`);
    expect(answers, accept).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  });

  it('has each exchange under another key', () => {
    expect(new Set(exchanges.map(keyOf)).size).toBe(exchanges.length);
  });
});

/** As a start over the API has them. */
function valuesOf(variables: TypedVariables): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).map(([name, { value }]) => [name, value]));
}

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
import { answerHere, asHere, differences, isoOf } from './support/differences.js';
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

  const different = new Map(
    differences.flatMap(({ here }) =>
      Object.entries(here).map(([step, status]) => [step, answerHere(status)] as const),
    ),
  );

  it.each(exchanges)('answers as Operaton does, but for the differences of the guide: $name', async (exchange) => {
    const expected = Object.entries(recorded)
      .filter(([step]) => step.startsWith(`${exchange.name}: `))
      .map(([step, answer]) => [step, different.get(step) ?? asHere(answer)]);
    expect(await played(exchange, here())).toEqual(Object.fromEntries(expected));
  });

  it('has no difference that is none, and the guide has all', () => {
    for (const [step, answer] of different) expect(answer, step).not.toEqual(asHere(recorded[step]!));
    const guide = readFileSync(join(repositoryRoot, 'docs/how-to/bring-camunda-7-workers.md'), 'utf8');
    for (const { guide: text } of differences) expect(guide).toContain(text);
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
      return { status: response.status, body: text === '' ? undefined : readJson(text) };
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

/** Operaton sometimes describes a body of the wrong shape in plain text. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text };
  }
}

/** As a start over the API has them. */
function valuesOf(variables: TypedVariables): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, { type, value }]) => [
      name,
      type === 'Date' ? new Date(isoOf(value as string)).toISOString() : value,
    ]),
  );
}

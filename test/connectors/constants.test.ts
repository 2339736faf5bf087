/** Inputs of HTTP tasks and of agents that a model writes as constants: digits are numbers then. */
import { describe, expect, it } from 'vitest';
import type { AdHocSubProcessNode } from '@perdure/engine/elements/ad-hoc-sub-process.js';
import type { Variables } from '@perdure/engine/contract/json.js';
import { readSettings } from '../../connectors/agent/settings.js';
import { readCall, readTimeouts } from '../../connectors/http/call.js';

describe('an HTTP task', () => {
  const call = (inputs: Variables) => readCall({ url: 'https://a.example/x', ...inputs });

  it.each([
    [20, 20_000],
    ['20', 20_000],
    [0.5, 500],
  ])('takes %j seconds as a timeout', (given, milliseconds) => {
    expect(readTimeouts({ connectionTimeoutInSeconds: given, readTimeoutInSeconds: given })).toEqual({
      connectionMilliseconds: milliseconds,
      readMilliseconds: milliseconds,
    });
  });

  it('sends numbers and booleans as the text of headers, parameters, and credentials', () => {
    const headers = { 'X-Count': 5, 'X-Big': 100_000, 'X-Exact': '9007199254740993', 'X-Flag': true, 'X-None': null };
    expect(call({ headers, queryParameters: { page: 2 } })).toMatchObject({
      url: 'https://a.example/x?page=2',
      headers: { 'X-Count': '5', 'X-Big': '100000', 'X-Exact': '9007199254740993', 'X-Flag': 'true' },
    });
    expect(call({ authentication: { type: 'basic', username: 12_345, password: 'pw' } }).basic).toBe('12345:pw');
    expect(call({ authentication: { type: 'apiKey', name: 'key', value: 99 } }).headers).toEqual({ key: '99' });
    expect(call({ authentication: { type: 'bearer', token: true } }).headers).toEqual({ Authorization: 'Bearer true' });
  });

  it('names a text that is neither', () => {
    expect(() => call({ authentication: { type: 'bearer', token: null } })).toThrow('authentication.token must be');
    expect(() => call({ method: ['GET'] })).toThrow('method must be a string');
  });
});

describe('an agent', () => {
  const settings = (inputs: Variables) =>
    readSettings(
      {
        inputs: Object.entries(inputs).map(([name, literal]) => ({ source: { literal }, target: [name] })),
      } as unknown as AdHocSubProcessNode,
      inputs,
    );
  const INPUTS = { url: 'https://a.example/v1', model: 'small', goal: 'Help' };

  it.each([7, '7'])('takes %j as a number of turns and tokens', (count) => {
    expect(settings({ ...INPUTS, maxTurns: count, maxTokens: count })).toMatchObject({ maxTurns: 7, maxTokens: 7 });
  });

  it('takes a constant that is a number or a boolean as the text of its goal, its model, and its instructions', () => {
    expect(settings({ ...INPUTS, model: 4, goal: 42, systemPrompt: true })).toMatchObject({
      model: '4',
      goal: [{ role: 'user', content: '42' }],
      systemPrompt: 'true',
    });
  });
});

/** The JSON Schema of scenario files. The reader checks files against this value, so both say the same. */

/** The part of JSON Schema that the schema uses; `validate.ts` knows these words. */
export interface Schema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly $defs?: { readonly [name: string]: Schema };
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Exactly one of these members must be present. */
  readonly oneOf?: readonly { readonly required: readonly [string] }[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly format?: 'date-time';
}

const text: Schema = { type: 'string', minLength: 1, maxLength: 255 };
const nodes: Schema = { type: 'array', items: { $ref: '#/$defs/node' } };
const variables: Schema = { $ref: '#/$defs/variables' };
const node: Schema = { $ref: '#/$defs/node' };
const inside: Schema = {
  ...node,
  description:
    'Only in instances that this call activity called. Default: in all, the first instance of `process` first.',
};
const nth: Schema = {
  type: 'integer',
  minimum: 1,
  maximum: 100_000,
  description: 'Which of several that are open there: 1 is the oldest of the first instance. Default: 1.',
};
const nodeOrType = { oneOf: [{ required: ['node'] }, { required: ['type'] }] } as const;

function members(
  description: string,
  properties: { readonly [name: string]: Schema },
  required: readonly string[] = [],
  more: Schema = {},
): Schema {
  return { type: 'object', description, properties, additionalProperties: false, required, ...more };
}

const ofJob = { node, type: { ...text, description: 'Type of the job.' }, in: inside, nth };

const decision = members('The decision of a job that drives an ad-hoc sub-process, as over REST.', {
  activateElements: {
    type: 'array',
    maxItems: 1_000,
    items: members('An element to activate.', { elementId: node, variables }, ['elementId']),
  },
  isCompletionConditionFulfilled: { type: 'boolean' },
  isCancelRemainingInstances: { type: 'boolean' },
});

/** By the name of the step. A step has exactly one of them. */
const steps: { readonly [name: string]: Schema } = {
  completeJob: members('Completes a job.', { ...ofJob, variables, result: decision }, [], nodeOrType),
  failJob: members(
    'Fails a job. After the last attempt its error goes to the model.',
    {
      ...ofJob,
      message: { type: 'string' },
      retries: { type: 'integer', minimum: 0, maximum: 1_000, description: 'Attempts left. Default: one less.' },
    },
    [],
    nodeOrType,
  ),
  throwError: members(
    'Throws a BPMN error from a job or a user task.',
    { ...ofJob, code: text, variables },
    ['code'],
    nodeOrType,
  ),
  completeTask: members('Completes a user task. Its form is not checked.', { node, in: inside, nth, variables }, [
    'node',
  ]),
  publish: members('Publishes a message.', { message: text, correlation: {}, variables }, ['message']),
  signal: members('Broadcasts a signal.', { name: text, variables }, ['name']),
  advance: {
    type: 'string',
    minLength: 1,
    description:
      'A duration, such as PT1H30M or 1h30m, or `next timer`: the time at which the next timer is due. All timers that are due fire.',
  },
  call: members(
    'Answers the call of a process that is in none of the files.',
    { node, in: inside, nth, variables, error: { ...text, description: 'Error code that ends the call.' } },
    ['node'],
  ),
  triggerAdHoc: members(
    'Starts an activity of an active ad-hoc sub-process.',
    {
      node,
      activity: { ...node, description: 'Id of an activity directly inside, without incoming flows.' },
      in: inside,
    },
    ['node', 'activity'],
  ),
  setVariables: { ...variables, description: 'Sets variables of the first instance of `process`.' },
  resolve: members('Resolves an incident.', { node, in: inside, nth, variables }, ['node']),
  expect: { $ref: '#/$defs/expectation' },
};

export const scenarioSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Perdure scenario',
  description: 'A test of a BPMN process. Perdure runs it in virtual time, without a host.',
  ...members(
    'Steps are carried out in order.',
    {
      $schema: { type: 'string' },
      name: { ...text, description: 'For reports.' },
      process: { ...text, description: 'Id of the process under test.' },
      files: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        maxItems: 100,
        description: 'Model files, relative to this one. Default: all models in its folder, not below it.',
      },
      now: {
        type: 'string',
        format: 'date-time',
        description: 'When the scenario begins. Default: 2026-01-01T00:00:00Z.',
      },
      start: members('Starts the process. Without it, a message or a signal starts it.', {
        variables,
        businessId: text,
        startAt: {
          type: 'array',
          minItems: 1,
          maxItems: 20,
          items: members('A node to start before.', { nodeID: node, variables }, ['nodeID']),
        },
      }),
      steps: {
        type: 'array',
        items: {
          type: 'object',
          properties: steps,
          additionalProperties: false,
          minProperties: 1,
          maxProperties: 1,
        },
      },
      expect: { $ref: '#/$defs/expectation' },
    },
    ['name', 'process', 'steps'],
  ),
  $defs: {
    node: { ...text, description: 'Id of a node.' },
    variables: { type: 'object', description: 'Variables by name.' },
    expectation: members('All of it must be true.', {
      status: { type: 'string', enum: ['RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] },
      active: { ...nodes, description: 'Exactly these nodes are active, in any order, sub-processes included.' },
      passed: { ...nodes, description: 'These nodes have completed in this order, possibly with others in between.' },
      notPassed: { ...nodes, description: 'None of these nodes has completed.' },
      variables: { ...variables, description: 'These variables of the process, among others. Null: null or absent.' },
      incidents: {
        type: 'array',
        description: 'Exactly these incidents are open, in any order, those of called processes included.',
        items: members('An open incident.', { node, type: text }, ['node']),
      },
    }),
  },
};

/** Names of variables come from users: every name is a name like any other. */
import { expect, it } from 'vitest';
import { MemoryHost } from '../../packages/testkit/memory-host.js';
import { serviceTask } from '@perdure/testkit/models';
import { simpleModel } from '../support/models.js';

it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', ''])(
  'a variable called "%s" that a job gives next to another is kept, and replay agrees',
  async (name) => {
    const host = await MemoryHost.deploy(
      simpleModel([serviceTask('work'), serviceTask('next')], ['a: s -> work', 'b: work -> next']),
    );
    const instance = host.start('p');
    host.completeJob(instance, 'work', JSON.parse(`{"other": 1, ${JSON.stringify(name)}: {"polluted": true}}`));
    expect(JSON.stringify(host.variables(instance))).toBe(`{"other":1,${JSON.stringify(name)}:{"polluted":true}}`);
    expect('polluted' in host.variables(instance)).toBe(false);
  },
);

import { PERDURE } from '@perdure/lib/model-files/namespaces.js';

/** Types of elements that can have a limit key. */
export const LIMITED: readonly string[] = ['bpmn:ServiceTask', 'bpmn:SendTask', 'bpmn:AdHocSubProcess'];

/** The meta-model of the namespace, for bpmn-moddle. */
export const perdureModdle = {
  name: 'Perdure',
  prefix: 'perdure',
  uri: PERDURE,
  xml: { tagAlias: 'lowerCase' },
  associations: [],
  types: [
    {
      name: 'Limit',
      superClass: ['Element'],
      meta: { allowedIn: LIMITED },
      properties: [{ name: 'key', type: 'String', isAttr: true }],
    },
    { name: 'KeepResults', superClass: ['Element'] },
  ],
};

/** Properties of every conversion, over random combinations of extensions, and over files that are too large or deep. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { convertModel } from '@perdure/convert';
import { scaled } from '../engine/random/seeds.js';
import { camundaModel } from './models.js';

const TEXTS = [
  'x',
  '${x}',
  '${a.b > 1}',
  '${bean.run(x)}',
  '${',
  'a-${x}-b',
  '${loopCounter}',
  '&lt;',
  '=x',
  '${!empty l}',
];
const ATTRIBUTES = [
  'camunda:assignee',
  'camunda:candidateUsers',
  'camunda:class',
  'camunda:expression',
  'camunda:topic',
  'camunda:type',
  'camunda:decisionRef',
  'camunda:resultVariable',
  'camunda:asyncBefore',
  'camunda:initiator',
  'camunda:formKey',
  'camunda:dueDate',
  'camunda:unknown',
  'calledElement',
  'scriptFormat',
  'messageRef',
];
const EXTENSIONS = [
  '<camunda:inputOutput><camunda:inputParameter name="i">§</camunda:inputParameter><camunda:outputParameter name="o">§</camunda:outputParameter></camunda:inputOutput>',
  '<camunda:in source="§" target="y"/>',
  '<camunda:out variables="all"/>',
  '<camunda:field name="f"><camunda:string>§</camunda:string></camunda:field>',
  '<camunda:field name="f" expression="§"/>',
  '<camunda:connector><camunda:connectorId>§</camunda:connectorId></camunda:connector>',
  '<camunda:executionListener class="x.Y"/>',
  '<camunda:executionListener event="start" class="§"><camunda:field name="f" stringValue="§"/></camunda:executionListener>',
  '<camunda:executionListener event="end" expression="§"/>',
  '<camunda:formData><camunda:formField id="f" type="long" defaultValue="§"/></camunda:formData>',
  '<camunda:properties><camunda:property name="n" value="§"/></camunda:properties>',
  '<camunda:failedJobRetryTimeCycle>R3/PT1M</camunda:failedJobRetryTimeCycle>',
  '<flowable:eventType>§</flowable:eventType>',
];
const CONTENTS = [
  '<multiInstanceLoopCharacteristics camunda:collection="§"><completionCondition>§</completionCondition></multiInstanceLoopCharacteristics>',
  '<script>§</script>',
  '<errorEventDefinition errorRef="§"/>',
  '<timerEventDefinition><timeCycle>§</timeCycle></timerEventDefinition>',
  '<messageEventDefinition camunda:class="§"/>',
  '<documentation>§</documentation>',
];
const TYPES = [
  'userTask',
  'serviceTask',
  'sendTask',
  'receiveTask',
  'scriptTask',
  'businessRuleTask',
  'callActivity',
  'subProcess',
  'startEvent',
  'endEvent',
  'intermediateCatchEvent',
  'exclusiveGateway',
];

const text = fc.constantFrom(...TEXTS).map((each) => each.replaceAll('"', '&quot;'));
const filled = (pool: readonly string[]) =>
  fc.tuple(fc.constantFrom(...pool), text).map(([template, value]) => template.replaceAll('§', value));

const element = fc
  .record({
    type: fc.constantFrom(...TYPES),
    attributes: fc.uniqueArray(fc.tuple(fc.constantFrom(...ATTRIBUTES), text), {
      maxLength: 4,
      selector: ([name]) => name,
    }),
    extensions: fc.array(filled(EXTENSIONS), { maxLength: 3 }),
    contents: fc.array(filled(CONTENTS), { maxLength: 2 }),
  })
  .map(({ type, attributes, extensions, contents }) => (id: string) => {
    const written = attributes.map(([name, value]) => ` ${name}="${value}"`).join('');
    return `<${type} id="${id}"${written}><extensionElements>${extensions.join('')}</extensionElements>${contents.join('')}</${type}>`;
  });

const model = fc
  .array(element, { minLength: 1, maxLength: 6 })
  .map((elements) => camundaModel(elements.map((write, position) => write(`e${position}`)).join('')));

describe('a conversion', () => {
  it('never fails, and converting twice equals converting once', async () => {
    await fc.assert(
      fc.asyncProperty(model, async (xml) => {
        const once = convertModel(xml);
        expect(convertModel(once.xml).xml).toBe(once.xml);
        await compile(once.xml);
      }),
      { numRuns: scaled(150) },
    );
  });

  it('of a file with thousands of elements lists at most a thousand findings, and counts the rest', () => {
    const tasks = Array.from({ length: 3000 }, (_, at) => `<serviceTask id="t${at}" camunda:class="x.Y${at}"/>`);
    const { findings, unlistedFindings, jobs } = convertModel(camundaModel(tasks.join('')));
    expect(findings).toHaveLength(1000);
    expect(unlistedFindings).toBe(2000);
    expect(new Set(jobs.map(({ type }) => type)).size).toBe(3000);
  });

  it('of a file with sub-processes nested thousands deep ends', () => {
    const [open, close] = ['<subProcess camunda:asyncBefore="true">', '</subProcess>'].map((tag) => tag.repeat(2000));
    expect(convertModel(camundaModel(`${open}${close}`)).xml).not.toContain('asyncBefore');
  });
});

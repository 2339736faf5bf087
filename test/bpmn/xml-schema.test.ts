/** The XML schema of BPMN 2.0.2 against the meta-model: a valid file may hold every element and attribute of it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { newModdle } from '@perdure/bpmn/read/meta-model.js';
import { localName } from '@perdure/xml/names.js';
import { visit } from '@perdure/xml/scan.js';
import { problemsOf, processFile, through } from './support/model.js';

interface Content {
  type: string;
  kind: 'attribute' | 'element';
  name: string;
}

/** The content that the complex types of the schema declare themselves. Inherited content is left out. */
function contentOf(schema: string): Content[] {
  const path = createRequire(import.meta.url).resolve(`bpmn-moddle/resources/bpmn/xsd/${schema}.xsd`);
  const found: Content[] = [];
  let type: string | undefined;
  let depth = 0;
  const refusal = visit(readFileSync(path, 'utf8'), {
    open(tag, attributes) {
      const name = attributes.get('name') ?? localName(attributes.get('ref') ?? '');
      const kind = localName(tag);
      depth += 1;
      if (depth === 2) type = kind === 'complexType' ? name.replace(/^t/, '') : undefined;
      else if (type !== undefined && name !== '' && (kind === 'attribute' || kind === 'element'))
        found.push({ type, kind, name });
    },
    close() {
      depth -= 1;
    },
    text() {},
  });
  expect(refusal).toBeUndefined();
  return found;
}

interface Descriptor {
  propertiesByName: { [name: string]: { isAttr?: boolean } | undefined };
  properties: { type: string; isReference?: boolean }[];
}
interface Types {
  getType(name: string): { $descriptor: Descriptor; hasType(name: string): boolean };
}

const moddle = newModdle() as unknown as Types;

/** Whether bpmn-moddle would read this: by the name of a property, or by the type of an element. */
function isRead({ type, kind, name }: Content): boolean {
  const { propertiesByName, properties } = moddle.getType(`bpmn:${type}`).$descriptor;
  const property = propertiesByName[name];
  if (kind === 'attribute') return property?.isAttr === true;
  if (property && !property.isAttr) return true;
  try {
    const element = moddle.getType(`bpmn:${name[0]!.toUpperCase()}${name.slice(1)}`);
    return properties.some((other) => !other.isReference && element.hasType(other.type));
  } catch {
    return false;
  }
}

/** Types that the meta-model writes as properties, and diagrams, which are not read. */
const ELSEWHERE = ['BaseElementWithMixedContent', 'Script', 'Text', 'Expression'];

it('the meta-model has everything that the XML schema has', () => {
  const all = [...contentOf('BPMN20'), ...contentOf('Semantic')];
  expect(all.length).toBeGreaterThan(300);
  const lacking = all.filter(
    (content) => !ELSEWHERE.includes(content.type) && content.name !== 'BPMNDiagram' && !isRead(content),
  );
  expect(lacking).toEqual([]);
});

const TASK = '<bpmn:userTask id="m"/>';

describe('an element that has no meaning for execution deploys', () => {
  it.each([
    [
      'a global script task',
      '<bpmn:globalScriptTask id="g"><bpmn:script>1 &lt; 2</bpmn:script></bpmn:globalScriptTask>',
    ],
    [
      'a conversation with a message flow',
      '<bpmn:collaboration id="c"><bpmn:participant id="A" processRef="p"/><bpmn:participant id="B"/><bpmn:messageFlow id="f" sourceRef="A" targetRef="B"/><bpmn:conversation id="cv"><bpmn:participantRef>A</bpmn:participantRef><bpmn:messageFlowRef>f</bpmn:messageFlowRef></bpmn:conversation></bpmn:collaboration>',
    ],
    [
      'a participant with an end point',
      '<bpmn:endPoint id="at"/><bpmn:collaboration id="c"><bpmn:participant id="A"><bpmn:endPointRef>at</bpmn:endPointRef></bpmn:participant></bpmn:collaboration>',
    ],
    [
      'an association of participants',
      '<bpmn:collaboration id="c"><bpmn:participant id="A"/><bpmn:participant id="B"/><bpmn:participantAssociation id="a"><bpmn:innerParticipantRef>A</bpmn:innerParticipantRef><bpmn:outerParticipantRef>B</bpmn:outerParticipantRef></bpmn:participantAssociation></bpmn:collaboration>',
    ],
    [
      'documentation of an extension',
      '<bpmn:extension mustUnderstand="false"><bpmn:documentation>a <b xmlns="urn:b">note</b></bpmn:documentation></bpmn:extension>',
    ],
  ])('%s', async (_what, element) => {
    const isFirst = element.startsWith('<bpmn:extension ');
    const xml = isFirst
      ? through(TASK).replace('<bpmn:process', `${element}<bpmn:process`)
      : through(TASK).replace('</bpmn:definitions>', `${element}</bpmn:definitions>`);
    expect(await problemsOf(xml)).toEqual([]);
  });
});

describe('artifacts and collaborations may refer to nothing, with one warning', () => {
  const note = (ids: string) =>
    `warning -: Artifacts and collaborations of the file refer to ${ids}, but the file has no such element. Execution is not affected. Redraw these elements to repair the diagram.`;

  it('in the process, and outside of processes', async () => {
    const notes =
      '<bpmn:textAnnotation id="n"/><bpmn:association id="a" sourceRef="n" targetRef="gone"/><bpmn:association id="b" sourceRef="gone" targetRef="n"/><bpmn:group id="g" categoryValueRef="value"/>';
    const beside =
      '<bpmn:collaboration id="c"><bpmn:participant id="A" processRef="lost"/><bpmn:messageFlow id="f" sourceRef="A" targetRef="B"/></bpmn:collaboration><bpmn:relationship type="t"><bpmn:source>x</bpmn:source><bpmn:target>m</bpmn:target></bpmn:relationship>';
    const xml = through(TASK, notes).replace('</bpmn:definitions>', `${beside}</bpmn:definitions>`);
    expect(await problemsOf(xml)).toEqual([note('"gone", "value", "lost", "B", "x"')]);
  });

  it('in one short warning for ten thousand of them', async () => {
    const associations = Array.from(
      { length: 10_000 },
      (_, n) => `<bpmn:association id="a${n}" sourceRef="m" targetRef="gone-${n}"/>`,
    );
    const [warning, ...others] = await problemsOf(through(TASK, associations.join('')));
    expect(others).toEqual([]);
    expect(warning).toMatch(/"gone-9" and 9990 more, but/);
  });

  it('but not a handler that would be lost', async () => {
    const events =
      '<bpmn:boundaryEvent id="b" attachedToRef="m"><bpmn:compensateEventDefinition/></bpmn:boundaryEvent><bpmn:association id="a" sourceRef="b" targetRef="gone"/>';
    expect(await problemsOf(through(TASK, events))).toEqual([
      note('"gone"'),
      expect.stringMatching(/^error b: Compensation boundary event b needs an association to an activity/),
    ]);
  });

  it('and not a lane or a flow', async () => {
    const lanes =
      '<bpmn:laneSet id="l"><bpmn:lane id="one"><bpmn:flowNodeRef>gone</bpmn:flowNodeRef></bpmn:lane></bpmn:laneSet>';
    const [first] = await problemsOf(processFile(`${lanes}<bpmn:startEvent id="s"/>`));
    expect(first).toBe('error one: flowNodeRef of lane refers to "gone", but the file has no element with that id');
  });
});

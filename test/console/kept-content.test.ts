import { describe, expect, it } from 'vitest';
import { keptOf, openedAndSaved as save, written } from './support/opened-and-saved.js';

const file = (content: string, before = '') => `<?xml version="1.0" encoding="UTF-8"?>
${before}<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:acme="urn:acme" id="file" targetNamespace="urn:test">
  <bpmn:process id="order" isExecutable="true">
${content}
  </bpmn:process>
</bpmn:definitions>
`;

const steps = `    <bpmn:startEvent id="start" />
    <!-- asks the bank -->
    <bpmn:task id="pay" name="Pay">
      <!-- twice -->
      <acme:cost currency="EUR">12<acme:per>hour</acme:per></acme:cost>
      <bpmn:extensionElements>
        <acme:note>Ask <acme:b>Mrs. Müller</acme:b> first</acme:note>
        <!-- inside -->
      </bpmn:extensionElements>
    </bpmn:task>
    <!-- the last word -->`;

describe('content that the modeler does not understand', () => {
  it('is lost without help', async () => {
    expect(await written(file(steps))).not.toMatch(/asks the bank|twice|acme:cost|hour|the last word/);
  });

  it('is put back where it was: comments, elements, and texts between elements', async () => {
    const saved = await save(file(steps, '<!-- of the file -->'));
    expect(saved).toMatch(/<!-- of the file -->\s*<bpmn:definitions/);
    expect(saved).toMatch(/<!-- asks the bank -->\s*<bpmn:task id="pay"/);
    expect(saved).toMatch(/<!-- twice -->\s*<acme:cost currency="EUR">12<acme:per>hour<\/acme:per><\/acme:cost>/);
    expect(saved).toContain('<acme:note>Ask <acme:b>Mrs. Müller</acme:b> first</acme:note>');
    expect(saved).toMatch(/<\/acme:note>\s*<!-- inside -->\s*<\/bpmn:extensionElements>/);
    expect(saved).toMatch(/<!-- the last word -->\s*<\/bpmn:process>/);
  });

  it('is there once, however often the file is opened and saved', async () => {
    const once = await save(file(steps, '<!-- of the file -->'));
    expect(await save(once)).toBe(once);
    expect(once.match(/the last word/g)).toHaveLength(1);
  });

  it('stays with its element when others are added, renamed, and removed around it', async () => {
    const saved = await save(file(steps), (text) =>
      text
        .replace('<bpmn:startEvent id="start" />', '<bpmn:startEvent id="begin" /><bpmn:task id="check" />')
        .replace('name="Pay"', 'name="Pay at once"'),
    );
    expect(saved).toMatch(/<!-- asks the bank -->\s*<bpmn:task id="pay" name="Pay at once">/);
    expect(saved).toContain('<acme:per>hour</acme:per>');
  });

  it('goes with its element', async () => {
    const saved = await save(file(steps), (text) => text.replace(/<bpmn:task[^]*<\/bpmn:task>/, ''));
    expect(saved).not.toMatch(/twice|acme:cost|inside/);
    expect(saved).toContain('asks the bank');
  });

  it('does not replace what was edited in the modeler', async () => {
    const saved = await save(file(steps), (text) =>
      text.replace(/<acme:note>.*<\/acme:note>/, '<acme:note>New</acme:note>'),
    );
    expect(saved).toContain('<acme:note>New</acme:note>');
    expect(saved).not.toContain('Mrs. Müller');
  });

  it('is a reference that the modeler cannot follow, until another one is chosen', async () => {
    const event = (reference: string) =>
      `    <bpmn:startEvent id="start"><bpmn:messageEventDefinition messageRef="${reference}" /></bpmn:startEvent>`;
    const foreign = file(event('tns:paid')).replace(
      '  <bpmn:process',
      '  <bpmn:message id="paid" name="PAID" />\n  <bpmn:message id="due" name="DUE" />\n  <bpmn:process',
    );
    expect(await written(foreign)).not.toContain('messageRef');
    expect(await save(foreign)).toContain('messageRef="tns:paid"');
    const other = await save(foreign, (text) => text.replace('tns:paid', 'due'));
    expect(other).toContain('messageRef="due"');
    expect(other).not.toContain('tns:paid');
  });

  it('is nothing for a file that the modeler understands', async () => {
    const known = await written(file('    <bpmn:startEvent id="start" />'));
    expect(await keptOf(known)).toBe(0);
  });

  it("is not what Perdure's own extensions say", async () => {
    const task = `    <bpmn:serviceTask id="pay"><bpmn:extensionElements xmlns:perdure="urn:perdure:bpmn">
      <perdure:limit key="=id" /><perdure:keepResults />
    </bpmn:extensionElements></bpmn:serviceTask>`;
    expect(await written(file(task))).toMatch(/<perdure:limit key="=id" \/>\s*<perdure:keepResults \/>/);
  });
});

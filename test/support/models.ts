/** A process that most tests of the engine need: `p`, from the start event `s`. */
import { processModel, startEvent, type Flows, type Xml } from '@perdure/testkit/models';

export function simpleModel(elements: Xml, flows: Flows, roots: Xml = ''): string {
  return processModel('p', [startEvent('s'), elements], flows, roots);
}

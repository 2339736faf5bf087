import { expect } from 'vitest';
import { compile } from '@perdure/bpmn/compile/compile.js';
import { modelOf, type Model } from '@perdure/engine/model/model.js';

/** The model of the one process in `xml`, as an instance gets it: its graph has been JSON in between. */
export async function modelFrom(xml: string): Promise<Model> {
  const { processes, problems } = await compile(xml);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return modelOf(JSON.parse(JSON.stringify(processes[0]!.graph)));
}

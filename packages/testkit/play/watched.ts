/** The processes of a scenario in play, with notes of what their page shows. */
import type { Fact } from '@perdure/engine/contract/facts.js';
import { embeddedFormID } from '@perdure/engine/model/forms.js';
import type { MemoryInstance, OpenedState } from '../memory-host.js';
import type { Bundle } from '../scenario/bundle.js';
import { ScenarioCoverage } from '../scenario/coverage.js';
import { NeedsOf, type Needs } from '../scenario/needs.js';
import { literalOf, Play } from '../scenario/play.js';
import { carryOut } from '../scenario/steps.js';
import { isStart, type Move } from './moves.js';

export interface Beginning {
  processID: string;
  bundle: Bundle;
  /** Epoch milliseconds. */
  now: number;
  /** An instance of a host to continue. */
  opened?: OpenedState | undefined;
}

/** A form that is deployed by itself, or the JSON of one in the BPMN file. */
export type FormOfTask = { formID: string } | { embedded: string };

export class Watched {
  readonly play: Play;
  readonly #bundle: Bundle;
  readonly #called = new Map<string, string>();
  readonly #forms = new Map<string, FormOfTask>();
  readonly #needs: NeedsOf;

  constructor({ processID, bundle, now, opened }: Beginning) {
    this.#bundle = bundle;
    this.play = new Play(processID, bundle, new ScenarioCoverage(), now);
    this.#needs = new NeedsOf(this.play, bundle);
    this.#watch();
    if (opened) this.play.openInstance(opened);
  }

  /** @throws StepFailed, PayloadTooLarge, RangeError; the play cannot continue then */
  carryOut(move: Move): void {
    this.play.beginStep();
    if (isStart(move)) this.play.start(move.start.variables);
    else carryOut(this.play, move);
  }

  get needs(): Needs {
    return this.#needs.all();
  }

  /** The id of the process that a call activity asked for, by the id that its instance has or would have. */
  calledProcess(workflowID: string): string | undefined {
    return this.#called.get(workflowID);
  }

  /** Of a task of an opened instance, only a form that the model names without an expression is known. */
  formOf({ workflowID, model }: MemoryInstance, task: number, nodeID: string): FormOfTask | undefined {
    const noted = this.#forms.get(`${workflowID} ${task}`);
    const node = model.node(nodeID);
    if (noted || node.kind !== 'userTask') return noted;
    return this.#formOf(model.graph.processID, literalOf(node.formID), literalOf(node.formKey));
  }

  #watch(): void {
    const { host } = this.play;
    const { onFacts } = host;
    host.onFacts = (instance, facts) => {
      onFacts?.(instance, facts);
      for (const fact of facts) this.#note(instance, fact);
    };
  }

  #note({ workflowID, model }: MemoryInstance, fact: Fact): void {
    if (fact.kind === 'CHILD_CALLED') this.#called.set(fact.workflowID, fact.processID);
    if (fact.kind === 'USER_TASK_CREATED') {
      const form = this.#formOf(model.graph.processID, fact.formID, fact.formKey);
      if (form) this.#forms.set(`${workflowID} ${fact.task}`, form);
    }
  }

  #formOf(processID: string, formID?: string, formKey?: string): FormOfTask | undefined {
    if (formID !== undefined) return { formID };
    const id = formKey === undefined ? undefined : embeddedFormID(formKey);
    const embedded = id === undefined ? undefined : this.#process(processID)?.forms?.embedded?.[id];
    return embedded === undefined ? undefined : { embedded };
  }

  #process(processID: string) {
    return this.#bundle.processes.find((process) => process.processID === processID);
  }
}

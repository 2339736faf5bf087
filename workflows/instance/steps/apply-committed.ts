/** A committed step becomes the state of the run. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { Model } from '@perdure/engine/model/model.js';
import type { DefinitionReference, State } from '@perdure/engine/state/state.js';
import { nextDue } from '@perdure/engine/step.js';
import { MAX_INLINE_GRAPH_BYTES, SEARCH_ATTRIBUTES } from '../../messages.js';
import type { Instance } from '../instance.js';
import { noteTaskTypes } from './linger.js';
import type { Step } from './step.js';
import { describeState, inWords } from '../ui-details.js';

const encoder = new TextEncoder();

/**
 * Applies the committed step to the state of the run.
 * @param lingeredMs how long its commit took if it lingered, in milliseconds: a timer may have become due since the step
 */
export async function applyCommitted(
  instance: Instance,
  { inputs, facts, state, model }: Step,
  lingeredMs?: number,
): Promise<void> {
  const { input, inbox, wakeTimer, clock, decisions, targets, taskTypes, state: before } = instance;
  instance.state = state;
  clock.advanceTo(inputs.now + (lingeredMs ?? 0));
  targets.clear();
  noteTaskTypes(taskTypes, facts);
  if (state.definition && state.definition !== before.definition) goOnWith(instance, state.definition, model);
  instance.stepNumber += 1;
  instance.start = undefined;
  instance.stepsInThisRun += 1;
  instance.commandsInThisRun += state.lastCommand - before.lastCommand;
  instance.rotated = inputs.rotate === true && facts.some((fact) => fact.kind === 'INSTANCE_ROTATED');
  // A step taken instead of another one does not begin or end a pause.
  if (!inputs.rotate && !inputs.defect?.unstorable) instance.pause.stepTaken(inputs.paused === true);
  inbox.markHandled(state.lastCommand, state.deferred ?? []);
  decisions.forgetTaken(state);
  if (input.searchAttributes) showIncidents(before, state);
  setCurrentDetails(inWords(() => describeState(model, state)));
  const due = instance.pause.stands ? undefined : nextDue(state);
  // The next step handles it.
  const isDue = lingeredMs !== undefined && due !== undefined && due <= clock.reached;
  if (state.status === 'RUNNING' && !instance.rotated && !isDue) wakeTimer.set(due, clock.now());
  if (!instance.rotated) await decisions.evaluate(state);
}

/** Another version of the process, with which the next run starts. */
function goOnWith(instance: Instance, { definitionID, graphSha256 }: DefinitionReference, model: Model): void {
  const { graph: _before, ...input } = instance.input;
  const isSmall = encoder.encode(JSON.stringify(model.graph)).length < MAX_INLINE_GRAPH_BYTES;
  instance.model = model;
  instance.input = { ...input, definitionID, graphSha256, ...(isSmall && { graph: model.graph }) };
}

/** An upsert is an event in the history, so it happens only when the first incident opens or the last one closes. */
function showIncidents(before: State, after: State): void {
  const has = hasIncident(after);
  if (has === hasIncident(before)) return;
  upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.incident, value: has }]);
}

function hasIncident(state: State): boolean {
  return Object.keys(state.incidents).length > 0;
}

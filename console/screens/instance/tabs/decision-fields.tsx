/** The decision of an operator, instead of the worker, about an ad-hoc sub-process. */
import type { Schemas } from '../../../frame/api/client.js';
import { useInstance } from '../use-instance.js';
import styles from './decision.module.css';

export type Decision = Schemas['BpmnJobResult'];

interface DecisionFieldsProps {
  /** Ids of the activities that can be started. */
  activities: readonly string[];
  decision: Decision;
  onChange(decision: Decision): void;
}

export function DecisionFields({ activities, decision, onChange }: DecisionFieldsProps) {
  const { nameOf } = useInstance();
  const {
    activateElements = [],
    isCompletionConditionFulfilled = false,
    isCancelRemainingInstances = false,
  } = decision;
  const chosen = new Set(activateElements.map(({ elementId }) => elementId));
  const toggle = (id: string) =>
    onChange({
      ...decision,
      activateElements: chosen.has(id)
        ? activateElements.filter(({ elementId }) => elementId !== id)
        : [...activateElements, { elementId: id }],
    });
  return (
    <fieldset className={styles.fields}>
      <legend>Decision</legend>
      {activities.map((id) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
          Start {nameOf(id)}
        </label>
      ))}
      <label>
        <input
          type="checkbox"
          checked={isCancelRemainingInstances}
          onChange={() => onChange({ ...decision, isCancelRemainingInstances: !isCancelRemainingInstances })}
        />
        Cancel the activities that are active
      </label>
      <label>
        <input
          type="checkbox"
          checked={isCompletionConditionFulfilled}
          onChange={() => onChange({ ...decision, isCompletionConditionFulfilled: !isCompletionConditionFulfilled })}
        />
        End the sub-process
      </label>
    </fieldset>
  );
}

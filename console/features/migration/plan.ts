/** The draft of a migration plan. */
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../frame/api/client.js';
import { useVersions } from '../../frame/project/processes.js';

export type Mapping = Schemas['ElementMapping'];
export type Plan = Pick<Schemas['MigrateBpmnInstanceRequest'], 'targetVersion' | 'elementMappings' | 'variables'>;
export type Version = Pick<Schemas['BpmnProcessVersion'], 'id' | 'version'>;

/** @param definitionID the version to migrate from */
export function usePlan(processID: string, definitionID: string) {
  const versions = useVersions(processID);
  const [targetID, setTargetID] = useState('');
  const [mappings, setMappings] = useState<readonly Mapping[]>([]);
  /** Undefined while the text is not JSON. */
  const [variables, setVariables] = useState<Record<string, unknown> | undefined>({});
  const targets = versions.data?.data.filter(({ id }) => id !== definitionID) ?? [];
  const target = targets.find(({ id }) => id === targetID);
  const targetVersion = target?.version;
  /** A new object whenever the plan changes; undefined while it is incomplete. */
  const plan = useMemo<Plan | undefined>(
    () =>
      targetVersion === undefined || variables === undefined
        ? undefined
        : { targetVersion, elementMappings: [...mappings], variables },
    [targetVersion, mappings, variables],
  );
  const chooseTarget = (id: string) => {
    setTargetID(id);
    setMappings([]);
  };
  return { versions, targets, target, chooseTarget, mappings, setMappings, setVariables, plan };
}

/**
 * The validation result of a request. Results of other requests are discarded.
 *
 * @param request undefined while it is incomplete
 */
export function useValidation<Request, Found>(
  request: Request | undefined,
  validate: (request: Request) => Promise<Found>,
) {
  const validation = useMutation({ mutationFn: validate });
  const isOfThis = request !== undefined && validation.variables === request;
  return {
    found: isOfThis ? validation.data : undefined,
    error: isOfThis ? validation.error : undefined,
    isPending: validation.isPending,
    start: request && (() => validation.mutate(request)),
  };
}

import { Badge } from '../../components/values/badge.js';
import type { Schemas } from '../../frame/api/client.js';

/** The severity of a problem in a model file. */
export function SeverityBadge({ severity }: Pick<Schemas['BpmnValidationIssue'], 'severity'>) {
  return (
    <Badge tone={severity === 'error' ? 'red' : 'amber'} icon="alert">
      {severity === 'error' ? 'Error' : 'Warning'}
    </Badge>
  );
}

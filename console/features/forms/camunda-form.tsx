/** A Camunda form, drawn from its JSON schema. The viewer is heavy, so it is loaded on demand. */
import { lazy, Suspense } from 'react';
import { Loading } from '../../components/feedback/states.js';

export interface CamundaFormProps {
  /** The form's JSON as written by the modeler. */
  schema: object;
  /** The initial variables of the fields. */
  data: Readonly<Record<string, unknown>>;
  /** A button with this `form` attribute submits it. */
  id: string;
  /** The refusal of the last submission. Each issue appears at its field until the field changes. */
  error: unknown;
  /** Called when a field has changed, also one that the browser sends no event for. */
  onEdit?: (() => void) | undefined;
  /** Called with the variables, once every field is valid. */
  onSubmit(data: Record<string, unknown>): void;
}

const FormJs = lazy(() => import('./form-js.js'));

export function CamundaForm(props: CamundaFormProps) {
  return (
    <Suspense fallback={<Loading lines={4} label="Loading the form" />}>
      <FormJs {...props} />
    </Suspense>
  );
}

/** A Camunda form, drawn from its JSON schema. It is heavy, so it is loaded when one is shown. */
import { lazy, Suspense } from 'react';
import { Loading } from '../../components/feedback/states.js';

export interface CamundaFormProps {
  /** The form's JSON, as the modeler writes it. */
  schema: object;
  /** The variables that its fields begin with. */
  data: Readonly<Record<string, unknown>>;
  /** A button with this `form` attribute submits it. */
  id: string;
  /** The refusal of what was submitted last. Each issue appears at its field until the field is changed. */
  error: unknown;
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

/** A form as a task shows it, and the variables that it would submit. Nothing is sent. */
import { useId, useState } from 'react';
import { Button } from '../../components/basics/button.js';
import { Card } from '../../components/basics/card.js';
import { JsonView } from '../../components/values/json-view.js';
import { CamundaForm } from './camunda-form.js';
import styles from './form-preview.module.css';

const nothing = {};

export function FormPreview({ schema }: { schema: object }) {
  const id = useId();
  const [submitted, setSubmitted] = useState<Record<string, unknown>>();
  return (
    <div className={styles.parts}>
      <Card title="Preview">
        <div className={styles.part}>
          <CamundaForm id={id} schema={schema} data={nothing} error={undefined} onSubmit={setSubmitted} />
          <div>
            <Button type="submit" form={id}>
              Check the input
            </Button>
          </div>
        </div>
      </Card>
      <Card title="Variables">
        <div className={styles.part} aria-live="polite">
          {submitted === undefined ? (
            <p className={styles.hint}>
              Fill in the form and check the input: the variables that a task would get appear here. Nothing is sent.
            </p>
          ) : (
            <JsonView label="Variables" value={submitted} />
          )}
        </div>
      </Card>
    </div>
  );
}

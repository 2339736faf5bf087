import '@bpmn-io/form-js-viewer/dist/assets/form-js-base.css';
import '@bpmn-io/form-js-viewer/dist/assets/flatpickr/light.css';
import { Form } from '@bpmn-io/form-js-viewer';
import { useEffect, useRef, useState } from 'react';
import { ErrorState } from '../../components/feedback/states.js';
import { guardAuthorHtml } from './author-html.js';
import type { CamundaFormProps } from './camunda-form.js';
import { showIssues } from './field-issues.js';
import { markdownValuesModule } from './markdown-values.js';
import styles from './form-js.module.css';

/**
 * By default, form-js takes typed text after 300 ms. Until then, whatever draws the field again empties it, and a refresh can
 * replace the form.
 */
const withoutPause = { debounce: false };

/** Reads schema and data only once, so that a refresh does not overwrite typed input. */
export default function FormJs({ schema, data, id, error, onEdit, onSubmit }: CamundaFormProps) {
  const container = useRef<HTMLDivElement>(null);
  const form = useRef<Form>(undefined);
  const first = useRef({ schema, data });
  const edited = useRef(onEdit);
  edited.current = onEdit;
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const created = new Form({
      container: container.current!,
      additionalModules: [markdownValuesModule(first.current.schema)],
      ...withoutPause,
    });
    const endGuard = guardAuthorHtml(container.current!);
    form.current = created;
    created
      .importSchema(first.current.schema as Parameters<Form['importSchema']>[0], { ...first.current.data })
      // The import itself changes fields too.
      .then(() => created.on('changed', () => edited.current?.()))
      .catch(setFailure);
    return () => {
      endGuard();
      created.destroy();
    };
  }, []);
  useEffect(() => showIssues(form.current!, error), [error]);
  if (failure !== undefined) return <ErrorState error={failure} />;
  return (
    <>
      <form
        id={id}
        onSubmit={(event) => {
          event.preventDefault();
          const { data: entered, errors } = form.current!.submit();
          if (Object.keys(errors).length === 0) onSubmit(entered as Record<string, unknown>);
        }}
      />
      <div ref={container} className={styles.form} />
    </>
  );
}

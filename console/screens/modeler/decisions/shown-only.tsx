/** Boxed expressions that the editor of decisions has no view for: readable here, and edited as XML. */
import { useDeferredValue, useMemo } from 'react';
import { Button } from '../../../components/basics/button.js';
import { Banner } from '../../../components/feedback/banner.js';
import { DecisionView } from '../../../features/decision/decision-view.js';
import { readOthers } from '../../../features/decision/read-file.js';
import type { Editing, EditingState } from '../../../features/modeler/editing.js';
import styles from './try-out.module.css';

export function ShownOnly({ editing, state: { text, view } }: { editing: Editing; state: EditingState }) {
  const later = useDeferredValue(text);
  const others = useMemo(() => readOthers(later), [later]);
  if (others.length === 0) return null;
  return (
    <section className={styles.shownOnly} aria-label="Boxed expressions">
      <Banner
        tone="blue"
        icon="decision"
        title="Boxed expressions are edited as XML."
        action={view === 'drawing' && <Button onClick={() => void editing.showView('text')}>Edit as XML</Button>}
      >
        Contexts, lists, relations, calls, and functions of them have no editor. Tables, expressions, and functions of
        an expression have one above.
      </Banner>
      {others.map((decision) => (
        <section key={decision.id} aria-label={decision.name}>
          <h3>{decision.name}</h3>
          <DecisionView decision={decision} />
        </section>
      ))}
    </section>
  );
}

/** The drawing or the tables of a file with a panel next to it, or its text. */
import { useEffect, useRef, type ReactNode } from 'react';
import { Segments } from '../../components/basics/segments.js';
import { Banner } from '../../components/feedback/banner.js';
import { Loading } from '../../components/feedback/states.js';
import { TextArea } from '../../components/fields/field.js';
import type { Editing, EditingState } from '../../features/modeler/editing.js';
import styles from './modeler.module.css';

/** The names of a view apart from the text, and of why it is not shown. */
export interface Drawing {
  label: string;
  whyNot: string;
  whyLater: string;
}

interface WorkspaceProps {
  editing: Editing;
  state: EditingState;
  drawing: Drawing;
  /** Whether the page shows the file. */
  isShown: boolean;
  /** Content of the panel; without it, the panel has the properties of what is selected. */
  side: ReactNode;
}

export function Workspace({ editing, state, drawing, isShown, side }: WorkspaceProps) {
  const { view, isDrawn, parts, shownPart } = state;
  const canvas = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    void editing.start({ canvas: canvas.current!, panel: panel.current! });
    return () => editing.close();
  }, [editing]);
  useEffect(() => {
    if (isShown) editing.resize();
  }, [editing, isShown]);
  return (
    <>
      {view === 'drawing' && parts.length > 1 && (
        <div className={styles.parts}>
          <Segments
            label="Part of the file"
            options={parts}
            selected={shownPart ?? ''}
            onSelect={(id) => editing.showPart(id)}
          />
        </div>
      )}
      {/* The editor stays, so that the drawing needs no second one. */}
      <div className={styles.workspace} hidden={view === 'text'}>
        <div ref={canvas} className={styles.canvas} role="group" aria-label={drawing.label} />
        <div ref={panel} className={styles.panel} role="group" aria-label={side ? 'Try it' : 'Properties'}>
          {side}
        </div>
        {!isDrawn && view === 'drawing' && (
          <div className={styles.loading}>
            <Loading lines={3} label="Loading the modeler" />
          </div>
        )}
      </div>
      {view === 'text' && <FileText editing={editing} state={state} drawing={drawing} />}
    </>
  );
}

function FileText({
  editing,
  state: { text, problem, isLarge, isDrawn },
  drawing,
}: Pick<WorkspaceProps, 'editing' | 'state' | 'drawing'>) {
  return (
    <div className={styles.xml}>
      {problem !== undefined && (
        <Banner tone="amber" icon="alert" title={drawing.whyNot}>
          {problem}
        </Banner>
      )}
      {isLarge && problem === undefined && !isDrawn && (
        <Banner tone="blue" icon="processes" title={drawing.whyLater}>
          Drawing it keeps the browser busy for a while. Choose {drawing.label} to draw it.
        </Banner>
      )}
      <TextArea
        label="XML"
        rows={24}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => editing.setText(target.value)}
      />
    </div>
  );
}

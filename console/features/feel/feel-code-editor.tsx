import FeelEditor from '@bpmn-io/feel-editor';
import { useEffect, useRef } from 'react';
import type { FeelEditorProps } from './feel-editor.js';
import styles from './feel-editor.module.css';

export default function FeelCodeEditor({ label, value, variables, placeholder, onChange, onSubmit }: FeelEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<FeelEditor>(undefined);
  /** The content of the editor. */
  const content = useRef(value);
  const latest = useRef({ onChange, onSubmit });
  useEffect(() => {
    latest.current = { onChange, onSubmit };
  });

  useEffect(() => {
    const parent = container.current!;
    editor.current = new FeelEditor({
      container: parent,
      value: content.current,
      placeholder,
      contentAttributes: { 'aria-label': label },
      onChange: (text) => {
        content.current = text;
        latest.current.onChange(text);
      },
      onKeyDown: (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) latest.current.onSubmit?.();
      },
    });
    return () => parent.replaceChildren();
  }, [label, placeholder]);

  // A value from the address or a button replaces the text. The user's own typing arrives unchanged and is not set
  // again.
  useEffect(() => {
    if (value !== content.current) editor.current?.setValue(value);
  }, [value]);

  useEffect(() => editor.current?.setVariables(toVariables(variables)), [variables]);

  return <div ref={container} className={styles.frame} />;
}

function toVariables(names: readonly string[] = []): { name: string }[] {
  return names.map((name) => ({ name }));
}

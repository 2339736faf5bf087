/** An area that takes dropped files, marked while some are over it. */
import { useState, type ReactNode } from 'react';
import { classes } from '../basics/classes.js';

interface DropAreaProps {
  className?: string | undefined;
  /** Added while files are over it. */
  overClassName?: string | undefined;
  onFiles(dropped: DataTransfer): void;
  children: ReactNode;
}

export function DropArea({ className, overClassName, onFiles, children }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false);
  return (
    <div
      className={classes(className, isOver && overClassName)}
      data-drop="file"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        onFiles(event.dataTransfer);
      }}
    >
      {children}
    </div>
  );
}

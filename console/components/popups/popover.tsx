import { useId, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { classes } from '../basics/classes.js';
import styles from './popups.module.css';

interface PopoverProps {
  /** The accessible name of the popover. */
  label: string;
  /** The button, which needs this attribute to open the popover. */
  button(target: { popoverTarget: string }): ReactNode;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** Whether it is a list of items, through which arrow keys move. */
  isList?: boolean;
  children: ReactNode;
}

const gapPx = 4;

/**
 * A popover of the browser: Escape and a press elsewhere close it, and the focus returns. Its content exists while it
 * is open.
 */
export function Popover({ label, button, isOpen, onOpenChange, isList = false, children }: PopoverProps) {
  const id = useId();
  const place = useRef<HTMLSpanElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = popover.current!;
    if (!isOpen) return shown.hidePopover();
    // The browser has already shown it if its button was pressed.
    if (!shown.matches(':popover-open')) shown.showPopover();
    const put = () => putBelow(shown, place.current!);
    put();
    shown.querySelector<HTMLElement>('input, button, select')?.focus({ preventScroll: true });
    window.addEventListener('resize', put);
    window.addEventListener('scroll', put, true);
    return () => {
      window.removeEventListener('resize', put);
      window.removeEventListener('scroll', put, true);
    };
  }, [isOpen]);
  return (
    <span ref={place} className={styles.place}>
      {button({ popoverTarget: id })}
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={classes(styles.popup, styles.popover, isList ? styles.menu : styles.content)}
        onToggle={({ newState }) => onOpenChange(newState === 'open')}
        onKeyDown={isList ? moveFocus : undefined}
      >
        {isOpen && children}
      </div>
    </span>
  );
}

/** Inside of the window, because a popover is in the top layer and nothing scrolls it. */
function putBelow(popover: HTMLElement, place: HTMLElement): void {
  const { left, bottom } = place.getBoundingClientRect();
  const right = document.documentElement.clientWidth - popover.offsetWidth - 2 * gapPx;
  const lowest = document.documentElement.clientHeight - popover.offsetHeight - 2 * gapPx;
  popover.style.left = `${Math.max(2 * gapPx, Math.min(left, right))}px`;
  popover.style.top = `${Math.max(2 * gapPx, Math.min(bottom + gapPx, lowest))}px`;
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')];
  const at = items.findIndex((item) => item === document.activeElement);
  items.at((at + step) % items.length)?.focus();
}

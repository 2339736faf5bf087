import { useState } from 'react';
import { Button } from '../basics/button.js';
import type { IconName } from '../basics/icon.js';
import { Popover } from './popover.js';
import styles from './popups.module.css';

interface MenuProps {
  /** Text of the button, and name of the popover. */
  label: string;
  icon: IconName;
}

interface ActionMenuProps extends MenuProps {
  actions: readonly { key: string; label: string }[];
  onChoose(key: string): void;
}

/** A button with a popover of actions. */
export function ActionMenu({ label, icon, actions, onChoose }: ActionMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover label={label} button={opener(label, icon)} isOpen={isOpen} onOpenChange={setIsOpen} isList>
      {actions.map((action) => (
        <button
          key={action.key}
          type="button"
          className={styles.item}
          onClick={() => {
            setIsOpen(false);
            onChoose(action.key);
          }}
        >
          {action.label}
        </button>
      ))}
    </Popover>
  );
}

interface ChoiceMenuProps extends MenuProps {
  choices: readonly { key: string; label: string }[];
  chosen: readonly string[];
  onChange(chosen: readonly string[]): void;
}

/** A button with a popover of checkboxes. */
export function ChoiceMenu({ label, icon, choices, chosen, onChange }: ChoiceMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover label={label} button={opener(label, icon)} isOpen={isOpen} onOpenChange={setIsOpen} isList>
      {choices.map((choice) => (
        <label key={choice.key} className={styles.item}>
          <input
            type="checkbox"
            checked={chosen.includes(choice.key)}
            onChange={({ target: { checked } }) =>
              onChange(checked ? [...chosen, choice.key] : chosen.filter((key) => key !== choice.key))
            }
          />
          {choice.label}
        </label>
      ))}
    </Popover>
  );
}

export function opener(label: string, icon: IconName) {
  return (target: { popoverTarget: string }) => (
    <Button icon={icon} {...target}>
      {label}
    </Button>
  );
}

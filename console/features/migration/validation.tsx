import type { ReactNode } from 'react';
import { Button } from '../../components/basics/button.js';
import { Issues, Refusal } from '../../components/dialogs/form-dialog.js';
import styles from './migration.module.css';
import type { useValidation } from './plan.js';

interface ValidationProps {
  validation: ReturnType<typeof useValidation<unknown, { valid: boolean; issues: readonly string[] }>>;
  /** More about the scope of the validation. */
  children?: ReactNode;
}

/** Validates a plan without changing anything. */
export function Validation({ validation: { found, error, isPending, start }, children }: ValidationProps) {
  return (
    <>
      <div className={styles.validation}>
        <Button icon="check" isBusy={isPending} disabled={start === undefined} onClick={start}>
          Validate
        </Button>
        <div role="status" className={styles.found}>
          {found?.valid && 'No issues found.'}
          {found?.valid === false && <Issues issues={found.issues} />}
          {!found && 'Whether it can be migrated is found out first; nothing is changed by that.'}
          {children}
        </div>
      </div>
      <Refusal error={error} />
    </>
  );
}

import { IconButton } from '../../components/basics/button.js';
import { Icon } from '../../components/basics/icon.js';
import { stopDemoWorker, useDemoWorker } from './demo-worker.js';
import styles from './worker-status.module.css';

/** Shows on every screen that this tab completes jobs. */
export function DemoWorkerStatus() {
  const isWorking = [...useDemoWorker().values()].some(({ kind }) => kind === 'working');
  return (
    <div role="status">
      {isWorking && (
        <p className={styles.status}>
          <Icon name="jobs" />
          <span>Demo worker running in this tab</span>
          <IconButton icon="close" label="Stop the demo worker" onClick={stopDemoWorker} />
        </p>
      )}
    </div>
  );
}

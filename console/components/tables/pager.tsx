import { IconButton } from '../basics/button.js';
import styles from './pager.module.css';

interface PagerProps {
  /** Name of the rows, in the plural. */
  noun: string;
  pagination: { page: number; pageSize: number; total: number; totalPages: number; isTotalEstimate?: true };
  onPage(page: number): void;
}

/** The position in a list, with buttons for the previous and the next page. */
export function Pager({
  noun,
  pagination: { page, pageSize, total, totalPages, isTotalEstimate },
  onPage,
}: PagerProps) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  const isOnly = page === 1 && totalPages <= 1;
  return (
    <nav className={styles.pager} aria-label={`Pages of ${noun}`}>
      <span>
        {first > last ? 'None' : `${first.toLocaleString('en')}–${last.toLocaleString('en')}`} of{' '}
        {isTotalEstimate && 'about '}
        <strong>{total.toLocaleString('en')}</strong> {noun}
      </span>
      {!isOnly && <Steps page={page} totalPages={totalPages} isLastKnown={!isTotalEstimate} onPage={onPage} />}
    </nav>
  );
}

interface StepsProps {
  page: number;
  totalPages: number;
  /** An estimated total does not say which page is the last. */
  isLastKnown: boolean;
  onPage(page: number): void;
}

function Steps({ page, totalPages, isLastKnown, onPage }: StepsProps) {
  const hasEnds = totalPages > 2;
  return (
    <>
      {hasEnds && <IconButton icon="stepBack" label="First page" disabled={page <= 1} onClick={() => onPage(1)} />}
      <IconButton icon="arrowLeft" label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <IconButton icon="arrowRight" label="Next page" disabled={page >= totalPages} onClick={() => onPage(page + 1)} />
      {hasEnds && isLastKnown && (
        <IconButton
          icon="stepForward"
          label="Last page"
          disabled={page >= totalPages}
          onClick={() => onPage(totalPages)}
        />
      )}
    </>
  );
}

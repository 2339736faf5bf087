import { Badge } from './badge.js';

const looks = {
  APPLIED: { tone: 'green', icon: 'check', word: 'Applied' },
  PENDING: { tone: 'blue', icon: 'dot', word: 'Pending' },
  REJECTED: { tone: 'red', icon: 'cross', word: 'Rejected' },
} as const;

/** The outcome of a change. */
export function OutcomeBadge({ outcome, title }: { outcome: keyof typeof looks; title: string | undefined }) {
  const { tone, icon, word } = looks[outcome];
  return (
    <Badge tone={tone} icon={icon} title={title}>
      {word}
    </Badge>
  );
}

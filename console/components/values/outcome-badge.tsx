import { Badge } from './badge.js';

const looks = {
  APPLIED: { tone: 'green', icon: 'check', word: 'Done' },
  PENDING: { tone: 'blue', icon: 'dot', word: 'Accepted' },
  REJECTED: { tone: 'red', icon: 'cross', word: 'Refused' },
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

/**
 * The icons of the console, on a grid of 16. They are decorative: a text or a label next to them carries the meaning.
 */
const paths = {
  alert: 'M8 2.2 14.6 13.6H1.4zM8 6.3v3.6M8 11.6v.4',
  arrowLeft: 'M13 8H3m4-4L3 8l4 4',
  arrowRight: 'M3 8h10m-4-4 4 4-4 4',
  audit: 'M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2',
  backtests: 'M3.2 4.4a6 6 0 1 1-1.1 4.6M3 1.8v2.8h2.8M8 5v3.3l2 1.4',
  batches: 'M2.5 2.5h8v8h-8zM13.5 5.5v8h-8',
  ban: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4',
  changes: 'M2.5 5h8m0 0L8 2.5M10.5 5 8 7.5M13.5 11h-8m0 0L8 8.5M5.5 11 8 13.5',
  check: 'm3 8.5 3.2 3.2L13 5',
  chevronDown: 'm4 6 4 4 4-4',
  close: 'm4 4 8 8m0-8-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  cross: 'm4 4 8 8m0-8-8 8',
  edit: 'm3 13 .7-3L10.9 2.8l2.3 2.3L6 12.3zM9.3 4.4l2.3 2.3',
  dashboard: 'M2.5 2.5h4.5v5H2.5zM9 2.5h4.5v3H9zM9 7.5h4.5v6H9zM2.5 9.5h4.5v4H2.5z',
  decision: 'M2 3h12v10H2zM2 6.5h12M6 6.5V13',
  deploy: 'M8 10.5V2.5M4.8 5.5 8 2.3l3.2 3.2M2.5 10.5v3h11v-3',
  download: 'M8 2.5v8M4.8 7.5 8 10.7l3.2-3.2M2.5 10.5v3h11v-3',
  dot: 'M8 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z',
  fit: 'M2.5 6V2.5H6m4 0h3.5V6m0 4v3.5H10m-4 0H2.5V10',
  form: 'M3 2h10v12H3zM5.5 5h5v2.5h-5zM5.5 10.5H9',
  integrations: 'M6 2v3m4-3v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14',
  instances: 'M2.5 3.5h11m-11 4.5h11m-11 4.5h11',
  jobs:
    'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v2m0 8.4v2M1.8 8h2m8.4 0h2M3.6 3.6 5 5m6 6 1.4 ' +
    '1.4m0-8.8L11 5m-6 6-1.4 1.4',
  key: 'M5.5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.7 7.8 13 2.5m-2 2 2 2',
  members:
    'M6 7.5A2.5 2.5 0 1 0 6 2.5a2.5 2.5 0 0 0 0 5zM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 ' +
    '2.5 0 0 1 0 4.5M12 9.9c1.6.5 2.5 1.8 2.5 3.6',
  message: 'M2 3.5h12v9H2zM2.3 4 8 8.5 13.7 4',
  minus: 'M3 8h10',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3a4.5 4.5 0 0 0 6.5 6.5z',
  pause: 'M5.5 3v10m5-10v10',
  play: 'M4.5 2.8v10.4L13 8z',
  plus: 'M8 3v10M3 8h10',
  processes:
    'M4 8h2.5m3 0H12M2.8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM6.5 6h3v4h-3zM13.2 9.7a1.7 1.7 0 1 0 0-3.4',
  redo: 'M13 6H6.5a3.75 3.75 0 0 0 0 7.5H9M10 3l3 3-3 3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.6-1.4L14 14',
  settings: 'M2.5 4.5h6m3 0h2m-11 7h2m3 0h6M10 6.2V2.8m-4 10.4V9.8',
  signOut: 'M6.5 2.5h-4v11h4M6 8h8m-3-3 3 3-3 3',
  stepBack: 'M4 3v10M13 3 6.5 8l6.5 5z',
  stepForward: 'M12 3v10M3 3l6.5 5L3 13z',
  sun:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.5m0 10v1.5M1.5 8H3m10 0h1.5M3.4 3.4l1 1m7.2 7.2 1 ' +
    '1m0-9.2-1 1m-7.2 7.2-1 1',
  system: 'M2 3h12v8H2zM6 13.5h4',
  tasks: 'M2.5 2.5h11v11h-11zM5 8l2 2 4-4',
  undo: 'M3 6h6.5a3.75 3.75 0 0 1 0 7.5H7M6 3 3 6l3 3',
} as const;

const filled = new Set<string>(['dot', 'play']);

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={paths[name]} fill={filled.has(name) ? 'currentColor' : 'none'} />
    </svg>
  );
}

/** The logo of the product: a token on a flow. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="6" fill="#0f766e" />
      <path d="M4.5 12H9m6 0h4.5" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <circle cx="12" cy="12" r="3" fill="none" stroke="#fff" strokeWidth="2" />
    </svg>
  );
}

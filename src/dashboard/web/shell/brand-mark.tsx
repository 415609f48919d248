/** Three pulses of a signal. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 24 24" className="size-6 shrink-0" aria-hidden="true">
      <rect width="24" height="24" rx="6" className="fill-accent-solid" />
      <path
        d="M4.5 13h3l2-6 4 11 2.2-7 1 2h2.8"
        fill="none"
        stroke="#fff"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Of a long page the form may be out of sight. */
const bringIntoSight = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: "center" });

/** Over a form that has again what was typed in it before the session ended. */
export function KeptNotice() {
  return (
    <p
      ref={bringIntoSight}
      role="status"
      className="rounded-lg border border-warn/30 bg-warn/8 px-3 py-2 text-sm"
    >
      Your session had ended. What you had typed is here again, and not saved yet.
    </p>
  );
}

import { useMemo, useRef } from "react";

/**
 * To be spread on the content of a menu or popover. Radix gives the focus back to the trigger in a timer,
 * which a busy page runs late: somebody who has gone on meanwhile, to a search by "/" say, keeps the focus,
 * and with it the keys typed. A layer that was left by a click elsewhere is Radix's own case: it would
 * remember it if it were kept from seeing it.
 */
export function useFocusReturn() {
  const wasLeft = useRef(false);
  return useMemo(
    () => ({
      onInteractOutside() {
        wasLeft.current = true;
      },
      onCloseAutoFocus(event: Event) {
        if (!wasLeft.current) keepMovedFocus(event);
        wasLeft.current = false;
      },
    }),
    [],
  );
}

/** The second part alone, for what cannot be left by a click elsewhere. */
export function keepMovedFocus(event: Event): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) event.preventDefault();
}

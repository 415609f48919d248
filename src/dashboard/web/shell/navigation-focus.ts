import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/**
 * After a navigation to another page the focus goes to its heading, as it would in a page that the browser
 * loaded; a change of search params (a filter, a tab) leaves it where it is.
 */
export function useNavigationFocus(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, toLocation }) => {
        if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname) return;
        const heading = document.querySelector<HTMLElement>("[data-page-heading]");
        (heading ?? document.querySelector<HTMLElement>("main"))?.focus({ preventScroll: true });
      }),
    [router],
  );
}

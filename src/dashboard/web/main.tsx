import "./components/csp-nonce.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Tooltip } from "radix-ui";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, queryClient } from "./client.ts";
import { ToastProvider } from "./components/toast.tsx";
import { router } from "./routes.tsx";
import { leaveForSignIn } from "./session.ts";

/** A session may end while its page is open: any 401 leads to the sign-in, and from there back. */
function watchForSignOut(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 401) return;
  const { pathname, href } = router.state.location;
  if (["/app/sign-in", "/app/setup", "/app/invite", "/app/password"].includes(pathname)) return;
  leaveForSignIn({ next: href });
}
queryClient.getQueryCache().config.onError = watchForSignOut;
queryClient.getMutationCache().config.onError = watchForSignOut;

const holder = document.getElementById("root");
if (holder === null) throw new Error("The page has no #root");
createRoot(holder, {
  // What the API refuses is shown on the page and is no defect of it.
  onCaughtError: (error) => {
    if (!(error instanceof ApiError)) console.error(error);
  },
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Tooltip.Provider delayDuration={300} skipDelayDuration={200}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </Tooltip.Provider>
    </QueryClientProvider>
  </StrictMode>,
);

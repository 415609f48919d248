import "./components/csp-nonce.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Tooltip } from "radix-ui";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, queryClient } from "./client.ts";
import { StillWaiting } from "./components/still-waiting.tsx";
import { ToastProvider } from "./components/toast.tsx";
import { keepDrafts } from "./kept-drafts.ts";
import { router } from "./routes.tsx";
import { isLeavingForSignIn, leaveForSignIn, type Session, sessionQuery } from "./session.ts";

/**
 * A session may end while its page is open: any 401 leads to the sign-in, and from there back, and so does
 * hearing that nobody is signed in.
 */
function watchForSignOut(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) goToSignIn();
}

let wasSignedIn = false;

function goToSignIn(): void {
  if (isLeavingForSignIn()) return;
  const { pathname, href } = router.state.location;
  if (["/app/sign-in", "/app/setup", "/app/invite", "/app/password"].includes(pathname)) return;
  keepDrafts();
  leaveForSignIn({ next: href });
}
queryClient.getQueryCache().config.onError = watchForSignOut;
queryClient.getQueryCache().config.onSuccess = (data, query) => {
  if (query.queryKey[0] !== sessionQuery.queryKey[0]) return;
  const isSignedIn = (data as Session).member !== null;
  if (wasSignedIn && !isSignedIn) goToSignIn();
  wasSignedIn = isSignedIn;
};
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
          <StillWaiting />
        </ToastProvider>
      </Tooltip.Provider>
    </QueryClientProvider>
  </StrictMode>,
);

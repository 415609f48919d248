import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { errorText } from "../client.ts";
import { IconButton } from "./icon-button.tsx";

interface Message {
  readonly id: number;
  readonly tone: "done" | "failed";
  readonly title: string;
  readonly detail: string | undefined;
}

export interface Toasts {
  /** An act has been done: "Group resolved". */
  done: (title: string, detail?: string) => void;
  /** An act has failed; takes whatever was thrown. */
  failed: (title: string, cause?: unknown) => void;
}

const context = createContext<Toasts | null>(null);

/** Short messages about what was just done. What stays true belongs on the page, not here. */
export function useToast(): Toasts {
  const toasts = useContext(context);
  if (toasts === null) throw new Error("useToast needs a ToastProvider above it");
  return toasts;
}

const kept = 4;
let lastId = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const add = useCallback((message: Omit<Message, "id">) => {
    lastId += 1;
    const id = lastId;
    setMessages((current) => [...current.slice(1 - kept), { ...message, id }]);
  }, []);
  const toasts = useMemo<Toasts>(
    () => ({
      done: (title, detail) => add({ tone: "done", title, detail }),
      failed: (title, cause) =>
        add({ tone: "failed", title, detail: cause === undefined ? undefined : errorText(cause) }),
    }),
    [add],
  );

  return (
    <context.Provider value={toasts}>
      <Primitive.Provider duration={6000}>
        {children}
        {messages.map((message) => (
          <Primitive.Root
            key={message.id}
            type={message.tone === "failed" ? "foreground" : "background"}
            onOpenChange={(open) => {
              if (!open) setMessages((current) => current.filter(({ id }) => id !== message.id));
            }}
            className="flex animate-appear items-start gap-2.5 rounded-lg border border-line bg-surface p-3 shadow-float"
          >
            {message.tone === "failed" ? (
              <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
            ) : (
              <CircleCheck className="mt-0.5 size-4 shrink-0 text-ok" aria-hidden />
            )}
            <div className="min-w-0 flex-1">
              <Primitive.Title className="text-sm font-medium wrap-anywhere">{message.title}</Primitive.Title>
              {message.detail === undefined ? null : (
                <Primitive.Description className="text-xs break-words text-muted">
                  {message.detail}
                </Primitive.Description>
              )}
            </div>
            <Primitive.Close asChild>
              <IconButton plain label="Dismiss" size="small" icon={<X aria-hidden />} className="-m-1" />
            </Primitive.Close>
          </Primitive.Root>
        ))}
        <Primitive.Viewport className="fixed right-0 bottom-0 z-50 flex w-full max-w-sm flex-col gap-2 p-4 focus:outline-none" />
      </Primitive.Provider>
    </context.Provider>
  );
}

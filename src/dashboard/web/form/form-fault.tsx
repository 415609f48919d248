import { CircleAlert } from "lucide-react";

/** Why a form was not taken, where that is about no field in particular. Stands above its button. */
export function FormFault({ text }: { text: string | null }) {
  return (
    <div role="alert" className="empty:hidden">
      {text === null ? null : (
        <p className="flex items-start gap-2 rounded-md bg-bad/12 px-3 py-2 text-sm text-bad">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span className="min-w-0 break-words">{text}</span>
        </p>
      )}
    </div>
  );
}

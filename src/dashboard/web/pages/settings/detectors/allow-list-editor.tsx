import { Plus, X } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Field } from "../../../components/field.tsx";
import { Input } from "../../../components/input.tsx";
import { addEntries } from "./detector-draft.ts";

export interface AllowListEditorProps {
  /** What an entry names: "tools". */
  names: string;
  entries: readonly string[];
  error: string | null;
  disabled: boolean;
  onChange: (entries: readonly string[]) => void;
}

/** What never fires this class. Enter adds, and so does pasting a list. */
export function AllowListEditor({ names, entries, error, disabled, onChange }: AllowListEditorProps) {
  const [typed, setTyped] = useState("");
  const add = (text: string) => {
    onChange(addEntries(entries, text));
    setTyped("");
  };
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Allow-list"
        hint={`What never fires this class: ${names}. At most 500 entries, exactly as events name them.`}
        error={error}
      >
        {(control) => (
          <div className="flex max-w-lg gap-2">
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              disabled={disabled}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onPaste={(event) => {
                const text = event.clipboardData.getData("text");
                if (!/[\n,]/.test(text)) return;
                event.preventDefault();
                add(`${typed}${text}`);
              }}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || typed.trim() === "") return;
                event.preventDefault();
                add(typed);
              }}
            />
            <Button
              icon={<Plus aria-hidden />}
              disabled={disabled || typed.trim() === ""}
              onClick={() => add(typed)}
            >
              Add
            </Button>
          </div>
        )}
      </Field>
      {entries.length === 0 ? null : (
        <ul aria-label="Allowed" className="flex max-h-48 flex-wrap gap-1.5 overflow-y-auto">
          {entries.map((entry) => (
            <li
              key={entry}
              className="inline-flex max-w-full items-center gap-1 rounded border bg-surface py-0.5 pr-0.5 pl-2"
            >
              <code className="min-w-0 truncate font-mono text-xs">{entry}</code>
              {disabled ? null : (
                <button
                  type="button"
                  aria-label={`Remove ${entry}`}
                  onClick={() => onChange(entries.filter((each) => each !== entry))}
                  className="grid size-6 shrink-0 place-items-center rounded text-faint hover:bg-hover hover:text-ink"
                >
                  <X className="size-3" aria-hidden />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

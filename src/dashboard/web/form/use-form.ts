import { useMutation } from "@tanstack/react-query";
import { type ChangeEvent, type FormEvent, useState } from "react";
import { ApiError, errorText } from "../client.ts";

export type Values<Name extends string> = Readonly<Record<Name, string>>;
/** What is wrong, by field. */
export type Faults<Name extends string> = Partial<Record<Name, string>>;

export interface FormOptions<Name extends string> {
  /** The fields, named as the API names them, and what stands in them at first. */
  initial: Values<Name>;
  /** What can be told before anything is sent. */
  check?: (values: Values<NoInfer<Name>>) => Faults<NoInfer<Name>>;
  /** The API's error codes that are about one field. */
  codes?: Readonly<Record<string, NoInfer<Name>>>;
  submit: (values: Values<NoInfer<Name>>) => Promise<unknown>;
}

export interface Form<Name extends string> {
  readonly values: Values<Name>;
  readonly set: (name: Name, value: string) => void;
  /** For an Input: its name, value and what to do about a change. */
  readonly input: (name: Name) => {
    readonly name: Name;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  readonly faults: Faults<Name>;
  /** What is wrong with none of the fields in particular. */
  readonly fault: string | null;
  readonly busy: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Back to the first values, or to others. */
  readonly reset: (values?: Values<Name>) => void;
}

/**
 * A form of text fields: checked here, then by the API, whose refusal is shown at the field that it is about.
 */
export function useForm<Name extends string>({
  initial,
  check,
  codes,
  submit,
}: FormOptions<Name>): Form<Name> {
  const [values, setValues] = useState(initial);
  const [checked, setChecked] = useState<Faults<Name>>({});
  const act = useMutation({ mutationFn: submit });
  const { faults: refused, fault } = act.isError
    ? faultsOf(act.error, values, codes)
    : { faults: {} as Faults<Name>, fault: null };
  const faults = { ...checked, ...refused };

  const set = (name: Name, value: string) => {
    setValues((current) => ({ ...current, [name]: value }));
    setChecked((current) => ({ ...current, [name]: undefined }));
    if (act.isError) act.reset();
  };
  return {
    values,
    set,
    input: (name) => ({
      name,
      value: values[name],
      onChange: (event) => set(name, event.target.value),
    }),
    faults,
    fault,
    busy: act.isPending,
    onSubmit: (event) => {
      event.preventDefault();
      const found = check?.(values) ?? {};
      setChecked(found);
      const form = event.currentTarget;
      const wrong = firstWrong(values, found);
      if (wrong !== undefined) {
        focusField(form, wrong);
        return;
      }
      act.mutate(values, {
        onError: (error) => {
          const refusedField = firstWrong(values, faultsOf(error, values, codes).faults);
          if (refusedField !== undefined) focusField(form, refusedField);
        },
      });
    },
    reset: (next = initial) => {
      setValues(next);
      setChecked({});
      act.reset();
    },
  };
}

function firstWrong<Name extends string>(values: Values<Name>, faults: Faults<Name>): Name | undefined {
  return (Object.keys(values) as Name[]).find((name) => faults[name] !== undefined);
}

function focusField(form: HTMLFormElement, name: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}

/** The API names the field at fault, or begins with it what it says: "email: this is no e-mail address". */
function faultsOf<Name extends string>(
  error: unknown,
  values: Values<Name>,
  codes: Readonly<Record<string, Name>> | undefined,
): { readonly faults: Faults<Name>; readonly fault: string | null } {
  const text = errorText(error);
  const named = error instanceof ApiError ? (codes?.[error.code] ?? error.field) : null;
  if (named !== null && named in values) return { faults: { [named]: text } as Faults<Name>, fault: null };
  const [, field = "", rest = ""] = /^([a-z_]+): (.+)$/s.exec(text) ?? [];
  if (field !== "" && field in values) return { faults: { [field]: rest } as Faults<Name>, fault: null };
  return { faults: {}, fault: text };
}

import { spansOf } from "../../../playbooks/playbook.ts";

/** A text of a playbook: what stands between backticks is code. */
export function PlaybookText({ text }: { text: string }) {
  return spansOf(text).map((span, at) =>
    span.kind === "code" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a text is its place
      <code key={at} className="rounded bg-sunken px-0.5 py-px font-mono text-[0.92em] break-words">
        {span.text}
      </code>
    ) : (
      span.text
    ),
  );
}

import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button, type ButtonSize } from "./button.tsx";
import { IconButton } from "./icon-button.tsx";
import { useToast } from "./toast.tsx";

export interface CopyButtonProps {
  /** What goes to the clipboard. */
  text: string;
  /** What it is: "Copy execution id". */
  label?: string;
  /** Shows the label, not the icon alone. */
  labelled?: boolean;
  size?: ButtonSize;
  /** In place of the two sheets, where two things beside each other can be copied. */
  icon?: ReactNode;
}

export function CopyButton({
  text,
  label = "Copy",
  labelled = false,
  size = "small",
  icon: own,
}: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without https a browser has no clipboard, except on localhost.
      toast.failed(
        "The browser does not allow copying here",
        new Error("Select the text and copy it yourself."),
      );
    }
  };
  const icon = copied ? <Check className="text-ok" aria-hidden /> : (own ?? <Copy aria-hidden />);
  return (
    <>
      {labelled ? (
        <Button size={size} icon={icon} onClick={copy}>
          {copied ? "Copied" : label}
        </Button>
      ) : (
        <IconButton size={size} label={label} icon={icon} onClick={copy} />
      )}
      <span className="sr-only" role="status">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}

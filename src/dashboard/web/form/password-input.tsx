import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { IconButton } from "../components/icon-button.tsx";
import { Input } from "../components/input.tsx";

/** A password, hidden until one wants to see it. */
export function PasswordInput(props: ComponentProps<"input">) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? "text" : "password"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="w-full pr-9"
      />
      <IconButton
        plain
        size="small"
        label="Show the password"
        aria-pressed={shown}
        icon={shown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        onClick={() => setShown(!shown)}
        className="absolute top-0.5 right-0.5"
      />
    </div>
  );
}

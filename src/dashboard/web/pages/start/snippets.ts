/**
 * What a newcomer runs to send the first events: one execution with a model call and a tool call, brought to
 * its end. Each text runs as it stands, again and again, with nothing installed beside the language;
 * test/dashboard/start-snippets.test.ts runs all three.
 */

export const LANGUAGES = ["curl", "typescript", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface SnippetInput {
  /** Where the service is found, without a slash at the end. */
  readonly address: string;
  readonly key: string;
}

export interface Snippet {
  readonly label: string;
  /** How to run what was copied. */
  readonly run: string;
  readonly code: string;
}

/** Stands for a key that has not been made yet. */
export const KEY_PLACEHOLDER = "service_sk_YOUR_KEY";

export function snippetOf(language: Language, input: SnippetInput): Snippet {
  return { curl, typescript, python }[language](input);
}

function curl({ address, key }: SnippetInput): Snippet {
  return {
    label: "curl",
    run: "Paste it into a terminal.",
    code: `ADDRESS="${address}"
KEY="${key}"
ID="hello-$(date +%s)-$$"
NOW="$(date -u +%Y-%m-%dT%H:%M:%SZ)"

send() {
  curl -sS -X "$1" "$ADDRESS$2" -d "$3" -H "Authorization: Bearer $KEY" \\
    -H "X-Service-Schema-Version: 1" -H "Content-Type: application/json"
  echo
}

send POST /executions '{"execution_id":"'$ID'","status":"started","sdk_language":"curl"}'
send POST /events '[
  {"event_id":"e1","execution_id":"'$ID'","event_type":"llm_call","sequence":1,"timestamp":"'$NOW'",
   "payload":{"model":"my-model","tokens_in":412,"tokens_out":96,"output":"I will look it up."}},
  {"event_id":"e2","execution_id":"'$ID'","event_type":"tool_call","sequence":2,"timestamp":"'$NOW'",
   "payload":{"tool_name":"search","arguments":{"q":"weather"},"result":"sunny","latency_ms":35}}
]'
send PATCH "/executions/$ID" '{"status":"completed","total_tokens_in":412,"total_tokens_out":96}'
`,
  };
}

function typescript({ address, key }: SnippetInput): Snippet {
  return {
    label: "TypeScript",
    run: "Save it as hello.ts, then: bun hello.ts (or node hello.ts, from Node 22.18 on).",
    code: `const address = "${address}";
const key = "${key}";
const id = \`hello-\${Date.now()}\`;

async function send(method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(address + path, {
    method,
    headers: {
      Authorization: \`Bearer \${key}\`,
      "X-Service-Schema-Version": "1",
      "Content-Type": "application/json",
    },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(\`\${response.status} \${answer}\`);
  console.log(response.status, answer);
}

const event = (sequence: number, event_type: string, payload: object) => ({
  event_id: \`e\${sequence}\`,
  execution_id: id,
  event_type,
  sequence,
  timestamp: new Date().toISOString(),
  payload,
});

await send("POST", "/executions", { execution_id: id, status: "started", sdk_language: "typescript" });
await send("POST", "/events", [
  event(1, "llm_call", { model: "my-model", tokens_in: 412, tokens_out: 96, output: "I will look it up." }),
  event(2, "tool_call", { tool_name: "search", arguments: { q: "weather" }, result: "sunny", latency_ms: 35 }),
]);
await send("PATCH", \`/executions/\${id}\`, { status: "completed", total_tokens_in: 412, total_tokens_out: 96 });

export {};
`,
  };
}

function python({ address, key }: SnippetInput): Snippet {
  return {
    label: "Python",
    run: "Save it as hello.py, then: python3 hello.py.",
    code: `import json
import time
import urllib.request
from datetime import datetime, timezone

ADDRESS = "${address}"
KEY = "${key}"
ID = f"hello-{time.time_ns()}"


def send(method, path, body):
    request = urllib.request.Request(
        ADDRESS + path,
        method=method,
        data=json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {KEY}",
            "X-Service-Schema-Version": "1",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request) as response:
        print(response.status, response.read().decode())


def event(sequence, event_type, payload):
    return {
        "event_id": f"e{sequence}",
        "execution_id": ID,
        "event_type": event_type,
        "sequence": sequence,
        "timestamp": datetime.now(timezone.utc).isoformat(),
        "payload": payload,
    }


send("POST", "/executions", {"execution_id": ID, "status": "started", "sdk_language": "python"})
send("POST", "/events", [
    event(1, "llm_call", {"model": "my-model", "tokens_in": 412, "tokens_out": 96, "output": "I will look it up."}),
    event(2, "tool_call", {"tool_name": "search", "arguments": {"q": "weather"}, "result": "sunny", "latency_ms": 35}),
])
send("PATCH", f"/executions/{ID}", {"status": "completed", "total_tokens_in": 412, "total_tokens_out": 96})
`,
  };
}

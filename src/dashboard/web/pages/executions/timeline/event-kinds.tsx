import {
  ArrowLeftRight,
  Bookmark,
  BrainCircuit,
  CircleAlert,
  CircleHelp,
  ClipboardCheck,
  Database,
  Gauge,
  Globe,
  type LucideIcon,
  Plug,
  ScanSearch,
  Server,
  ShieldAlert,
  Tag,
  TrendingDown,
  UserCheck,
  Wrench,
} from "lucide-react";
import { classes } from "../../../components/classes.ts";

interface EventKind {
  readonly icon: LucideIcon;
  readonly name: string;
  readonly colour: string;
}

/** How each event type is drawn. */
const kinds: Record<string, EventKind> = {
  llm_call: { icon: BrainCircuit, name: "LLM call", colour: "text-series-1" },
  tool_call: { icon: Wrench, name: "Tool call", colour: "text-series-2" },
  mcp_call: { icon: Plug, name: "MCP call", colour: "text-series-5" },
  agent_handoff: { icon: ArrowLeftRight, name: "Hand-over", colour: "text-series-7" },
  checkpoint: { icon: Bookmark, name: "Checkpoint", colour: "text-series-8" },
  exception: { icon: CircleAlert, name: "Exception", colour: "text-bad" },
  validator_result: { icon: ClipboardCheck, name: "Validator", colour: "text-series-6" },
  drift_signal: { icon: TrendingDown, name: "Drift", colour: "text-series-3" },
  injection_alert: { icon: ShieldAlert, name: "Injection alert", colour: "text-bad" },
  infrastructure_event: { icon: Server, name: "Infrastructure", colour: "text-series-8" },
  dlp_scan_result: { icon: ScanSearch, name: "DLP scan", colour: "text-series-4" },
  eval_score: { icon: Gauge, name: "Eval score", colour: "text-series-6" },
  memory_operation: { icon: Database, name: "Memory", colour: "text-series-5" },
  human_intervention: { icon: UserCheck, name: "Human", colour: "text-series-3" },
  egress: { icon: Globe, name: "Egress", colour: "text-series-4" },
  environment_declaration: { icon: Tag, name: "Environment", colour: "text-series-8" },
};

export const eventKind = (type: string): EventKind =>
  kinds[type] ?? { icon: CircleHelp, name: type, colour: "text-idle" };

export function EventIcon({ type, className }: { type: string; className?: string }) {
  const { icon: Icon, colour } = eventKind(type);
  return <Icon className={classes("size-4 shrink-0", colour, className)} aria-hidden />;
}

/** Why events were not stored, in words; the names are the API's. */
const REASONS: Readonly<Record<string, { readonly label: string; readonly help: string }>> = {
  invalid_event: {
    label: "Invalid event",
    help: "The event breaks a rule of the interface; the answer to the client names the field.",
  },
  batch_rejected: {
    label: "In a refused batch",
    help: "The event itself was fine, but another one in its batch was not, and batches are taken as a whole.",
  },
  execution_not_found: {
    label: "Unknown execution",
    help: "Its execution was never announced; the client must create it first.",
  },
  project_mismatch: {
    label: "Another project named",
    help: "The project_id sent is not the project of the key; it may be left out.",
  },
  unsupported_schema_version: {
    label: "Unsupported schema version",
    help: "X-Service-Schema-Version names a version that this service does not speak.",
  },
  unsupported_media_type: {
    label: "Unsupported media type",
    help: "Content-Type must be application/json, in UTF-8.",
  },
  invalid_json: {
    label: "Not JSON",
    help: "The request could not be parsed, often for a NaN or an Infinity; counted is what it seems to hold.",
  },
  batch_too_large: { label: "Batch too large", help: "More events in one request than a batch may hold." },
  refused_by_database: {
    label: "Refused by the database",
    help: "The database would not store the value; the service's log has its words.",
  },
  overloaded: {
    label: "Service overloaded",
    help: "More was on its way in than the memory set aside for it.",
  },
  database_unavailable: {
    label: "Database unavailable",
    help: "The database could not be reached; clients try again.",
  },
  draining: { label: "Service shutting down", help: "The service was stopping; clients try again." },
};

export function reasonWords(reason: string): { readonly label: string; readonly help: string } {
  return REASONS[reason] ?? { label: reason.replaceAll("_", " "), help: reason };
}

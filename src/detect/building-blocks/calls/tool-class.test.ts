import { expect, test } from "bun:test";
import { callClassOf, toolClassOf } from "./tool-class.ts";

test("what reads from a web address is browsing, whatever it is called", () => {
  for (const name of ["get_webpage", "read_page", "viewUrl", "load", "retrieve_document"])
    expect([name, callClassOf(name, { url: "www.news.example" })]).toEqual([name, "browse"]);
  expect(toolClassOf("get_webpage")).toBe("read");
});

test("what assesses, traces or compares reads, whatever else its name holds", () => {
  for (const name of ["assess_move", "traceServiceTransfer", "compare.records.update", "analyze_code"])
    expect([name, toolClassOf(name)]).toEqual([name, "read"]);
  expect(toolClassOf("move_trace")).toBe("write");
});

test("reading something else, looking for an address and asking about one is none", () => {
  expect(callClassOf("get_webpage", {})).toBe("read");
  expect(callClassOf("read_file", { path: "notes.txt" })).toBe("read");
  expect(callClassOf("search_mails", { url: "www.news.example" })).toBe("read");
  expect(callClassOf("get_messages", { query: "www.news.example" })).toBe("read");
  expect(callClassOf("get_url_reputation", { url: "www.news.example" })).toBe("read");
});

test("a request that changes something sends, whatever it is called", () => {
  expect(callClassOf("http_request", { method: "POST", url: "https://a.example" })).toBe("send");
  expect(callClassOf("http_request", { method: "GET", url: "https://a.example" })).toBe("browse");
});

test("a statement that changes a database does so, whatever the tool that runs it is called", () => {
  for (const [statement, toolClass] of [
    ["GRANT SELECT ON ALL TABLES IN SCHEMA mart TO ext_partner", "grant"],
    ["select 1; revoke all on mart.stays from auditor;", "grant"],
    ["ALTER ROLE reader SUPERUSER", "grant"],
    ["UPDATE subscriptions SET plan = 'scale' WHERE id = 8841", "write"],
    ["insert into mart.log values (1)", "write"],
    ["DELETE FROM orders WHERE id > 7", "delete"],
    ["  drop table orders", "delete"],
  ] as const)
    for (const name of ["snowflake_query", "run_sql", "db"])
      expect([name, statement, callClassOf(name, { statement })]).toEqual([name, statement, toolClass]);
  for (const query of [
    "SELECT * FROM orders WHERE state = 'update'",
    "update on the harbour project",
    "grant application of the museum",
    "delete from my memory what I said",
    "who may drop off parcels",
  ])
    expect([query, callClassOf("search_query", { query })]).toEqual([query, "read"]);
  expect(callClassOf("run_sql", { sql: "select 1" })).toBe("execute");
});

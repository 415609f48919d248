/**
 * One database, one service and its projects for a test file: started before the first test, stopped after
 * the last.
 *
 * Invariant: at the end the service left by itself with exit code 0, and nobody is connected to its database.
 */
import { afterAll, beforeAll } from "bun:test";
import { type Client, clientOf } from "./client.ts";
import { cloneDatabase, type TestDatabase } from "./database.ts";
import { mintProject, type ProjectRate, type TestProject } from "./projects.ts";
import { type Service, startService } from "./service.ts";

export interface Suite<Name extends string = never> {
  readonly database: TestDatabase;
  readonly service: Service;
  /** The project that no bucket limits. */
  readonly project: TestProject;
  /** A client with the key of `project`. */
  readonly client: Client;
  /** A client without any key. */
  readonly anonymous: Client;
  /** A second project that no bucket limits. */
  readonly stranger: TestProject;
  limited(name: Name): { project: TestProject; client: Client };
}

export interface SuiteOptions<Name extends string> {
  env?: Record<string, string>;
  /** Projects with a bucket of their own, by name. */
  limited?: Record<Name, ProjectRate>;
}

interface Started {
  database: TestDatabase;
  service: Service;
  project: TestProject;
  stranger: TestProject;
  limited: Map<string, TestProject>;
}

export function testSuite<Name extends string = never>(options: SuiteOptions<Name> = {}): Suite<Name> {
  let started: Started | undefined;
  let database: TestDatabase | undefined;

  beforeAll(async () => {
    database = await cloneDatabase();
    const project = await mintProject(database.sql);
    const stranger = await mintProject(database.sql);
    const limited = new Map<string, TestProject>();
    for (const [name, rate] of Object.entries<ProjectRate>(options.limited ?? {})) {
      limited.set(name, await mintProject(database.sql, rate));
    }
    const service = await startService({ databaseUrl: database.url, env: options.env });
    started = { database, service, project, stranger, limited };
  });

  afterAll(async () => {
    try {
      await started?.service.stop();
    } finally {
      await database?.drop();
    }
  });

  const running = (): Started => {
    if (!started) throw new Error("the suite has not started");
    return started;
  };
  return {
    get database() {
      return running().database;
    },
    get service() {
      return running().service;
    },
    get project() {
      return running().project;
    },
    get stranger() {
      return running().stranger;
    },
    get client() {
      return clientOf(running().service.url, running().project.key);
    },
    get anonymous() {
      return clientOf(running().service.url, undefined);
    },
    limited(name) {
      const project = running().limited.get(name);
      if (!project) throw new Error(`no project ${name}`);
      return { project, client: clientOf(running().service.url, project.key) };
    },
  };
}

/**
 * Drives Signalbox with the clients that people have, unmodified but for base URL and key: `bun run bench/clients/run.ts [name…]`.
 * Each gets a throwaway environment in the system's temporary folder (needs the package registries, and python3, Go, or Java with Maven, for some of them);
 * the gateway is one of our own on a test key. Ends with exit code 1 if any check failed.
 */

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfCommand } from "../../src/lib/self.ts";
import { runProgram, startProgram } from "../../test/support/run-program.ts";

type Client = { name: string; driver: string; python?: string[]; npm?: string[]; go?: string[]; maven?: string[] };

const CLIENTS: Client[] = [
  { name: "openai-python", driver: "openai_python.py", python: ["openai==3.52.0"] },
  { name: "anthropic-python", driver: "anthropic_python.py", python: ["anthropic==2.11.0"] },
  {
    name: "langchain-python",
    driver: "langchain_python.py",
    python: ["langchain==1.4.7", "langchain-openai==1.7.3", "langchain-anthropic==1.7.7"],
  },
  {
    name: "langchain-standard",
    driver: "langchain_standard.py",
    python: ["langchain-tests==1.1.9", "langchain-openai==1.7.3", "langchain-anthropic==1.7.7"],
  },
  { name: "pydantic-ai", driver: "pydantic_ai_agents.py", python: ["pydantic-ai-slim[openai,anthropic]==2.68.0"] },
  { name: "instructor", driver: "instructor_modes.py", python: ["instructor==1.17.0", "anthropic==2.11.0"] },
  { name: "litellm", driver: "litellm_python.py", python: ["litellm[proxy]==1.106.2", "mcp"] },
  { name: "openai-6", driver: "openai-6.mjs", npm: ["openai@6.49.0"] },
  {
    name: "vercel-ai",
    driver: "vercel-ai.mjs",
    npm: ["ai@7.0.173", "@ai-sdk/openai-compatible@3.0.92", "@ai-sdk/openai@4.0.118", "@ai-sdk/anthropic@4.0.105", "zod@4.6.7"],
  },
  {
    name: "langchain",
    driver: "langchain.mjs",
    npm: ["@langchain/openai@1.6.0", "@langchain/anthropic@1.5.11", "@langchain/core@1.2.13", "zod@4.6.7"],
  },
  { name: "openai-agents", driver: "openai-agents.mjs", npm: ["@openai/agents@0.20.0", "openai@7.55.0", "zod@4.6.7"] },
  { name: "claude-code", driver: "claude-code.mjs" },
  {
    name: "go",
    driver: "go_sdks.go",
    go: ["github.com/openai/openai-go/v3@v3.95.0", "github.com/anthropics/anthropic-sdk-go@v1.84.0"],
  },
  {
    name: "java",
    driver: "JavaSdks.java",
    maven: [
      "com.openai:openai-java:4.100.0",
      "com.anthropic:anthropic-java:3.11.0",
      "dev.langchain4j:langchain4j-open-ai:1.19.0",
    ],
  },
];

const DRIVERS = join(import.meta.dir, "drivers");
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "signalbox-clients-"));

const must = async (command: string[], cwd: string): Promise<void> => {
  const child = Bun.spawn(command, { cwd, stdout: "ignore", stderr: "pipe" });
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${errors.trim()}`);
};

const pomOf = (packages: readonly string[]): string => {
  const dependencies = packages.map((each) => {
    const [group, artifact, version] = each.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  const project = "<groupId>drivers</groupId><artifactId>drivers</artifactId><version>1</version>";
  return `<project><modelVersion>4.0.0</modelVersion>${project}<dependencies>${dependencies.join("")}</dependencies></project>`;
};

/** Returns the command that runs the driver. */
const prepare = async ({ name, driver, python, npm, go, maven }: Client): Promise<string[]> => {
  const home = join(folder, name);
  mkdirSync(home);
  for (const file of readdirSync(DRIVERS)) copyFileSync(join(DRIVERS, file), join(home, file));
  if (python !== undefined) {
    await must(["python3", "-m", "venv", "venv"], home);
    await must([join(home, "venv/bin/pip"), "install", "--quiet", ...python], home);
    return [join(home, "venv/bin/python"), driver];
  }
  if (go !== undefined) {
    await must(["go", "mod", "init", "driver"], home);
    await must(["go", "get", ...go], home);
    await must(["go", "build", "-o", "driver", driver], home);
    return [join(home, "driver")];
  }
  if (maven !== undefined) {
    await Bun.write(join(home, "pom.xml"), pomOf(maven));
    await must(["mvn", "-q", "-B", "dependency:build-classpath", "-Dmdep.outputFile=classpath.txt"], home);
    return ["java", "-cp", await Bun.file(join(home, "classpath.txt")).text(), driver];
  }
  if (npm !== undefined) {
    await Bun.write(join(home, "package.json"), '{"private":true,"type":"module"}');
    await must([process.execPath, "add", "--ignore-scripts", ...npm], home);
  }
  return [process.execPath, driver];
};

const drive = async (client: Client, url: string, key: string): Promise<boolean> => {
  const command = await prepare(client);
  const env = { ...process.env, BASE_URL: url, KEY: key };
  const child = Bun.spawn(command, { cwd: join(folder, client.name), env, stdout: "inherit", stderr: "inherit" });
  return (await child.exited) === 0;
};

const server = await startProgram(selfCommand(["serve", "--port", "0"]), { cwd: folder });
try {
  const made = await runProgram(selfCommand(["keys", "create", "--project", "clients", "--test", "--json"]), { cwd: folder });
  const { key } = JSON.parse(made.stdout) as { key: string };
  const failed: string[] = [];
  for (const client of CLIENTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    console.log(
      `\n${client.name}  ${[...(client.python ?? []), ...(client.npm ?? []), ...(client.go ?? []), ...(client.maven ?? [])].join(" ")}`,
    );
    if (!(await drive(client, server.url, key))) failed.push(client.name);
  }
  console.log(failed.length === 0 ? "\nEvery client is served." : `\nFailed: ${failed.join(", ")}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}

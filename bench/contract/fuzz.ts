/**
 * Requests made by chance from the OpenAPI document: valid, at the edge, of the wrong type, missing, extra, huge, in every script.
 * `bun run bench/contract/fuzz.ts [requests=10000] [seed=1]`. Ends with exit code 1 where an answer breaks the contract.
 */

import { faultsOf } from "../../test/support/contract/check-answer.ts";
import { generateRequest, operationsOf } from "../../test/support/contract/operations.ts";
import { startGateway } from "../../test/support/gateway.ts";
import { randomFrom } from "../../test/support/random.ts";

const requests = Number(process.argv[2] ?? 10_000);
const seed = Number(process.argv[3] ?? 1);
const IN_FLIGHT = 8;

const gateway = await startGateway();
/** Several projects, so that no limit of one hides the routes behind it. */
const keys = await Promise.all(Array.from({ length: 20 }, (_, index) => gateway.key({ project: `fuzz ${index}` })));
const operations = operationsOf(await (await gateway.send(null, "GET", "/openapi.json")).json());
const random = randomFrom(seed);
const statuses = new Map<number, number>();
const faults = new Map<string, number>();
const startedAt = performance.now();
let sent = 0;

const send = async (): Promise<void> => {
  while (sent < requests) {
    sent++;
    const operation = random.pick(operations);
    const { path, init } = generateRequest(operation, random, random.pick([0, 0.02, 0.1, 0.4]));
    const headers = { authorization: `Bearer ${random.pick(keys).text}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${gateway.url}${path}`, { ...init, headers });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    for (const fault of await faultsOf(operation, response)) faults.set(fault, (faults.get(fault) ?? 0) + 1);
  }
};
await Promise.all(Array.from({ length: IN_FLIGHT }, send));

const seconds = (performance.now() - startedAt) / 1000;
console.log(`${requests} requests over ${operations.length} operations in ${seconds.toFixed(1)} s (seed ${seed})`);
for (const [status, count] of [...statuses].sort(([a], [b]) => a - b)) console.log(`  ${status}  ${count}`);
for (const [fault, count] of [...faults].sort(([, a], [, b]) => b - a)) console.log(`FAULT ${count} × ${fault}`);
await gateway.stop();
process.exit(faults.size === 0 ? 0 : 1);
